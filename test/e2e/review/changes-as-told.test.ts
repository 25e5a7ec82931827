import { compareRounds } from '../../support/review/comparison';
import { ROUNDS } from '../../support/review/rounds';

compareRounds('what comes, changes and is renamed', ROUNDS);
