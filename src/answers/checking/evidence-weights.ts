/**
 * Weights fitted by test/support/fit-evidence.ts to 150 sentences of Wikipedia with the pages they cite (WiCE) and 814
 * claims with abstracts (SciFact). On unseen pages, they find the sentences that support claims with an F1 of 0.58, and
 * those in abstracts with 0.57. The numbers of candidates (`least`, `shareOfBest`, `most`) were chosen on all of the
 * data.
 */
export const EVIDENCE_WEIGHTS = {
  least: 0.18,
  shareOfBest: 0.3,
  most: 3,
  bias: -4.941,
  weights: {
    coverage: -0.619,
    coverageBesideBest: 1.787,
    nearnessBesideBest: -0.119,
    lead: 2.264,
    coverageUnderHeading: 0.907,
    brought: 1.298,
    order: 0.489,
    neighbours: -0.034,
    stretch: -0.66,
    bestForPart: -0.017,
    names: 0.12,
    numbers: -0.04,
    rarest: -0.61,
    rank: 0.667,
    length: 0.615,
    units: -0.244,
    heading: 0.149,
    place: 2.066,
    purpose: -1.69,
  },
};
