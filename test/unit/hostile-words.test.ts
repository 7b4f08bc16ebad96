import { testHostileKinds } from '../support/hostile-run.ts';

testHostileKinds('no step from reading to drawing is held up by words, lines and addresses', 'words');
