import { testHostileKinds } from '../support/hostile-run.ts';

testHostileKinds('no step from reading to drawing is held up by digits, signs and letters', 'signs');
