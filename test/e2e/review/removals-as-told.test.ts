import { compareRounds } from '../../support/review/comparison';
import { LEAVES } from '../../support/review/removals';

compareRounds('what leaves', LEAVES);
