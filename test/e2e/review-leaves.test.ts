import { compareRounds } from '../support/review-comparison';
import { LEAVES } from '../support/review-leaves';

compareRounds('what leaves', LEAVES);
