import type { CardClock } from '../../indexing/store/made/cards-api.ts';

/** Now, and when this day began where the user is. */
export function clock(): CardClock {
  const now = Date.now();
  return { now, dayStart: new Date(now).setHours(0, 0, 0, 0) };
}
