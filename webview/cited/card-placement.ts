/** A rectangle of the panel, in CSS pixels from its upper left corner. */
export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

interface CardPlace {
  readonly left: number;
  readonly width: number;
  readonly maxHeight: number;
  /** Distance from the top, if the card is below its chip. */
  readonly top: number | undefined;
  /** Distance of its lower edge from the panel's, if it is above the sentence. */
  readonly bottom: number | undefined;
}

const MARGIN = 8;
const GAP = 4;
const WIDEST = 360;
const ROOMY = 200;

/** Positions a card so that it covers neither its chip's line nor, if there is room, its sentence. */
export function placeCard(
  chip: Box,
  sentence: Box,
  panel: { readonly width: number; readonly height: number },
): CardPlace {
  const width = Math.min(WIDEST, panel.width - 2 * MARGIN);
  const middle = (chip.left + chip.right) / 2;
  const left = Math.max(MARGIN, Math.min(middle - width / 2, panel.width - MARGIN - width));
  const below = panel.height - MARGIN - (chip.bottom + GAP);
  // If the sentence is as high as the panel, the card covers the part above the chip's line.
  const lower = sentence.top - GAP - MARGIN < Math.min(ROOMY, below) ? chip.top : sentence.top;
  const above = lower - GAP - MARGIN;
  if (below >= ROOMY || below >= above) {
    return { left, width, maxHeight: Math.max(0, below), top: chip.bottom + GAP, bottom: undefined };
  }
  return { left, width, maxHeight: above, top: undefined, bottom: panel.height - lower + GAP };
}
