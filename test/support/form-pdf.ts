import { tinyPdf, type TinyField, type TinyPdf } from './tiny-pdf.ts';

const field = (y: number, name: string, entries: string): TinyField => ({
  rect: [200, y, 400, y + 18],
  name,
  entries,
});

const tick = (on: string): string => `/AP << /N << /${on} << >> /Off << >> >> >>`;

/**
 * Returns a form with each kind of field: an empty name, a town, two selected checkboxes, a list, and radio buttons.
 */
export function formPdf(more: Partial<TinyPdf> = {}): Uint8Array {
  const labels = ['Full name', 'Town', 'Married', 'Trade', 'Languages', 'Remarks'];
  return tinyPdf({
    pages: [
      {
        lines: labels.map((text, index) => ({ x: 72, y: 704 - 40 * index, text })),
        fields: [
          field(700, 'name', '/TU (Full name) /FT /Tx /DA (/Helv 10 Tf 0 g)'),
          field(660, 'town', '/TU (Town) /FT /Tx /DA (/Helv 10 Tf 0 g) /V (London)'),
          field(620, 'married', `/TU (Married) /FT /Btn /V /Off /AS /Off ${tick('Yes')}`),
          field(
            580,
            'trade',
            '/TU (Trade) /FT /Ch /Ff 131072 /DA (/Helv 10 Tf 0 g) /V (m) /Opt [[(m) (Mathematician)] [(p) (Poet)]]',
          ),
          {
            rect: [200, 500, 400, 560],
            name: 'languages',
            entries:
              '/TU (Languages) /FT /Ch /Ff 2097152 /DA (/Helv 10 Tf 0 g) /V [(en) (fr)] /Opt [[(en) (English)] [(fr) (French)] [(it) (Italian)]]',
          },
          field(460, 'remarks', '/TU (Remarks) /FT /Tx /Ff 4096 /DA (/Helv 10 Tf 0 g)'),
        ],
      },
    ],
    ...more,
  });
}
