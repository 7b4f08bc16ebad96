/** Finds words and signs by which a number isn't meant exactly, in English, German, and French. */
export const INEXACT_NUMBER =
  /\b(?:about|almost|approx\w*|around|at (?:least|most)|below|between|circa|ca|from|half|less|more|nearly|over|roughly|some|than|twice|under|up to|above|etwa|fast|knapp|mehr|mindestens|rund|ungefähr|weniger|über|unter|environ|moins|plus|près|presque)\b|[~≈<>±]/iu;
