import { column, tinyPdf, type TinyPage } from './tiny-pdf.ts';

/** A bar chart between 150 and 450 points across, and between 430 and 610 up: axes, a grid and bars. */
const chart = [
  'q 0.4 w 0.8 G',
  ...[470, 510, 550, 590].map((y) => `160 ${String(y)} m 440 ${String(y)} l S`),
  'Q q 1 w 0 G 160 440 m 160 600 l S 160 440 m 440 440 l S Q',
  ...[
    [180, 40, '0.2 0.4 0.8'],
    [230, 70, '0.2 0.4 0.8'],
    [280, 95, '0.2 0.4 0.8'],
    [330, 120, '0.9 0.5 0.1'],
    [380, 150, '0.9 0.5 0.1'],
  ].map(([x, height, colour]) => `q ${String(colour)} rg ${String(x)} 441 36 ${String(height)} re f Q`),
].join('\n');

/** A page with a chart, its labels, its caption, and text about it. */
export const chartPage: TinyPage = {
  drawing: chart,
  lines: [
    ...column(72, 720, [
      'The valves of the northern station were measured over five winters, and the losses were',
      'written down every week. As Figure 3 shows, leakage rises steeply once the frost sets in,',
      'while the older valves lose hardly more than they did in the first of these winters.',
    ]),
    { x: 186, y: 428, text: '2019', size: 8 },
    { x: 236, y: 428, text: '2020', size: 8 },
    { x: 286, y: 428, text: '2021', size: 8 },
    { x: 336, y: 428, text: '2022', size: 8 },
    { x: 386, y: 428, text: '2023', size: 8 },
    { x: 140, y: 506, text: '50', size: 8 },
    { x: 135, y: 586, text: '150', size: 8 },
    { x: 160, y: 400, text: 'Figure 3: Results of the northern station by year.', size: 9 },
    ...column(72, 360, [
      'Repairs are planned for the coming summer. They begin with the valves of the upper row and',
      'end with those below the bridge, which were changed only a few years ago.',
    ]),
  ],
};

/** Returns a report whose third page has a figure that the text refers to. */
export function figurePdf(): Uint8Array {
  const page = (about: string): TinyPage => ({
    lines: column(72, 700, [
      `This page tells of the ${about} of the waterworks, of its workers and of their days.`,
      `Nothing on it has to do with pictures; the ${about} is told in words alone and at some length.`,
    ]),
  });
  return tinyPdf({
    pages: [page('history'), page('purpose'), chartPage, page('future')],
    title: 'Waterworks',
  });
}
