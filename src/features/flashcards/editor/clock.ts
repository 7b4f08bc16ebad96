import type { CardClock } from '../store/cards-api.ts';

/** Returns the current time, and the start of the day in local time. */
export function clock(): CardClock {
  const now = Date.now();
  return { now, dayStart: new Date(now).setHours(0, 0, 0, 0) };
}
