import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PassageIndex } from '../../src/index/search/lexical/passage-index.ts';
import { fold } from '../../src/core/language/words/folding.ts';
import { splitWords } from '../../src/core/language/words/words.ts';

const OTHER =
  'The office on the quay sells tickets from six in the morning until the last departure of the day.';

/** Returns the texts that a question finds, best first, beside a text about something else. */
async function find(question: string, ...texts: string[]): Promise<string[]> {
  const index = PassageIndex.create();
  await index.add([...texts, OTHER].map((terms, id) => ({ id: id + 1, sourceId: 's', terms })));
  const hits = await index.search(question, { limit: 10 });
  return hits.flatMap(({ id }) => texts[id - 1] ?? OTHER);
}

const matchingTexts: Record<string, readonly (readonly [question: string, text: string])[]> = {
  'a version with or without letters before it': [
    ['1.2.3', 'Release v1.2.3 mends the gate.'],
    ['v1.2.3', 'Release 1.2.3 mends the gate.'],
    ['V2.0.1-rc1', 'It runs since 2.0.1.'],
    ['python 3.11', 'It needs python3.11 here.'],
    ['1.2.3', 'Install ferry-1.2.3.tar.gz first.'],
  ],
  'a number with or without separators': [
    ['1250', 'It costs $1,250.00 at the gate.'],
    ['$1,250.00', 'They paid 1250 crowns.'],
    ['1.250,00', 'They paid 1250 crowns.'],
    ['1250', 'Es kostet 1.250,00 Euro.'],
    ['1250', 'Es kostet 1.250 Euro.'],
    ['1250', 'Il coûte 1 250 euros.'],
    ['1250', 'Il coûte 1\u202f250,00 euros.'],
    ['1250', 'Das kostet 1’250 Franken.'],
    ['1 250', 'They paid 1,250 crowns.'],
    ['12500000', 'In all 12 500 000 people came.'],
    ['12500000', 'In all 1,25,00,000 people came.'],
    ['12.500.000', 'In all 12,500,000 people came.'],
    ['1475', 'Es kostet 1.475,50 Euro.'],
    ['1475.5', 'Es kostet 1.475,50 Euro.'],
    ['1000', 'They greeted the 1,000th guest.'],
    ['5000 km', 'It sailed 5,000km.'],
    ['1,475.50', 'Es kostet 1475,5 Euro.'],
  ],
  'a compound with or without hyphen or space': [
    ['wifi', 'The on-board wi-fi is free.'],
    ['wi-fi', 'The wifi is free.'],
    ['wi fi', 'The WiFi is free.'],
    ['wifi', 'The wi fi is free.'],
    ['onboard', 'The on-board shop is open.'],
    ['on board', 'The onboard shop is open.'],
    ['onboard', 'Tea on board is free.'],
    ['antivirus', 'An anti-virus program ran.'],
    ['cooperation', 'Their co-operation ended.'],
    ['co-operations', 'Their cooperation ended.'],
    ['email', 'Send an e‑mail to the office.'],
    ['E-Mails', 'Send an email to them.'],
    ['covid19', 'Closed due to COVID-19 rules.'],
    ['data base', 'Stored in a database here.'],
    ['H1B', 'With an H-1B visa.'],
    ['log in', 'The login needs a key.'],
    ['set up', 'The setup takes an hour.'],
    ['back end', 'The backend runs there.'],
  ],
  'an ISBN or a phone number written differently': [
    ['9783161484100', 'ISBN 978-3-16-148410-0'],
    ['978-3-16-148410-0', 'ISBN 9783161484100'],
    ['978 3 16 148410 0', 'ISBN 978-3-16-148410-0'],
    ['316148410X', 'ISBN 3-16-148410-X'],
    ['316148410X', 'ISBN 978-3-16-148410-0'],
    ['9780306406157', 'ISBN 0-306-40615-2'],
    ['0-306-40615-2', 'ISBN 9780306406157'],
    ['5551234567', 'Call (555) 123-4567 now.'],
    ['555-123-4567', 'Call 555.123.4567 now.'],
    ['+1 555 123 4567', 'Call (555) 123-4567 now.'],
    ['030 1234567', 'Ruf an: +49 30 1234567'],
    ['+49301234567', 'Ruf an: 030/1234567'],
    ['0049 30 1234567', 'Ruf an: +49 (0)30 123 45 67'],
    ['0123456789', 'Appelez le 01 23 45 67 89.'],
  ],
  'a date written differently': [
    ['2024-03-03', 'It opened on 3 March 2024.'],
    ['2024-03-03', 'It opened on March 3rd, 2024.'],
    ['March 3, 2024', 'Signed 2024-03-03T10:00:00Z'],
    ['3 March 2024', 'Signed 3.3.2024'],
    ['3.3.2024', 'Signed 3/3/24'],
    ['3. März 2024', 'Signed 3 March 2024'],
    ['3 de marzo de 2024', 'Signed 2024/03/03'],
    ['25/12/2023', 'Closed on December 25, 2023'],
    ['12/25/23', 'Closed on 25 décembre 2023'],
    ['2024-03-03', '2024年3月3日に開く'],
    ['2024-03-03', '2024년 3월 3일'],
    ['2024. március 3.', 'Signed 03.03.2024'],
    ['3 марта 2024', 'Signed 2024-03-03'],
    ['20240303', 'It opened on 3 March 2024.'],
    ['3 March 2024', 'Photo 20240303 of the quay'],
    ['on March 3rd', 'It opened on 3 March 2024.'],
    ['on March 3rd', 'Signed 2024-03-03'],
    ['3. März', 'Signed 3/3/24'],
    ['3 de marzo', 'It opened on the 3rd of March.'],
    ['le 1er mars', 'Signed 01.03.2024'],
  ],
  'an emoji': [
    ['🚀', 'Launch 🚀 today'],
    ['✅', 'All ✅ done'],
    ['❤️', 'With ❤ from the crew'],
    ['👍', 'Seen 👍🏽 by all'],
    ['🇩🇪', 'Flag 🇩🇪 here'],
  ],
  'a power': [
    ['10^6', 'There are 10⁶ cars.'],
    ['10⁶', 'There are 10^6 cars.'],
    ['10⁻⁶', 'A share of 10^-6 of all.'],
    ['m2', 'On 50 m^2 of deck.'],
    ['2019', 'As of 2019¹² it sank.'],
  ],
  'initials and names with “&”': [
    ['USA', 'Made in the U.S.A. today'],
    ['U.K.', 'Made in the UK today'],
    ['R&D', 'Their R&D department moved.'],
    ['H&M', 'An H&M shop opened.'],
  ],
  'a compound by its parts': [
    ['Behörde', 'Die Hafenbehörde genehmigt den Fährfahrplan und die Preise der Fahrt.'],
    ['Fahrplan', 'Die Hafenbehörde genehmigt den Fährfahrplan und die Preise der Fahrt.'],
    ['Turm', 'Leuchtturm Arkona'],
    ['Hafen', 'Die Hafenbehörde ist nicht mehr für die Schiffe da.'],
    ['Fahrplanauskunft', 'Auskunft zum Fahrplan der Schiffe gibt es hier.'],
    ['haven', 'De havenmeester is niet in het kantoor van de stad.'],
    ['meester', 'De havenmeester is niet in het kantoor van de stad.'],
    ['Prüfung', 'Die Umweltverträglichkeitsprüfung wird vom Amt gemacht und ist teuer.'],
    ['veiligheid', 'De verkeersveiligheid is hier niet aan de orde in de stad.'],
    ['avdelning', 'Sjukhusavdelningen ligger nära.'],
    ['Versicherung', 'Krankenversicherungen heute'],
    ['tidtabell', 'Det finns en färjetidtabell som inte är på svenska.'],
  ],
  'a Hebrew or Arabic word with a prefix': [
    ['בית', 'הוא גר בבית גדול'],
    ['הספינה', 'ספינה אחת הגיעה'],
    ['נמל', 'כשהנמל נסגר'],
    ['نمل', 'رأيت النمل هنا'],
  ],
  'another form of a word in a text too short to show its language': [
    ['Fähre', 'Fähren fahren täglich'],
    ['Fähre', 'Die Fähren fahren täglich ab.'],
    ['правило', 'Правила порта'],
    ['Verbindung', 'Verbindungen heute'],
    ['conexión', 'Conexiones seguras'],
    ['Haus', 'Häuser am See'],
  ],
};

for (const [title, cases] of Object.entries(matchingTexts))
  test(`finds ${title}`, async () => {
    const failed: string[] = [];
    for (const [question, text] of cases)
      if (!(await find(question, text)).includes(text)) failed.push(`${question} → ${text}`);
    assert.deepEqual(failed, []);
  });

test('ranks the exact version first', async () => {
  const [best] = await find(
    '1.2.3',
    ...[
      'Release v1.2.1 is slow.',
      'Release v1.3.2 is slow.',
      'Release 2.1 is slow.',
      'See section 3.2.1 now.',
    ],
    'Release v1.2.3 is slow.',
  );
  assert.equal(best, 'Release v1.2.3 is slow.');
});

test('keeps different numbers and dates apart', async () => {
  for (const [question, text] of [
    ['106', 'There are 10⁶ cars.'],
    ['10⁶', 'There are 106 cars.'],
    ['201912', 'As of 2019¹² it sank.'],
    ['2024-04-03', 'Signed 3/4/24'],
    ['1250', 'It costs 125,0 crowns.'],
    ['1250', 'From 12.50 on.'],
    ['19901995', 'From 1990-1995 it ran.'],
    ['112', 'A pound and 1½ more.'],
    ['the 2nd', 'On the 22nd it sailed.'],
    ['2 March 2025', 'Signed 2024-03-02'],
    ['2 March', 'Signed 2024-03-12'],
  ] as const)
    assert.deepEqual(await find(question, text), [], `${question} → ${text}`);
  assert.equal(fold('10⁶'), '10^6');
  assert.equal(fold('m²'), 'm2');
  assert.deepEqual(splitWords('v1.2.3')[0]?.terms, splitWords('1.2.3')[0]?.terms);
});

test('ranks a word above compounds with it', async () => {
  const texts = [
    'Der Leuchtturm ist nicht mehr in dem Hafen der Stadt, und auch nicht auf der Insel.',
    'Der Turm ist nicht mehr in dem Hafen der Stadt, und auch nicht auf der Insel.',
    'Das Leuchten ist nicht mehr in dem Hafen der Stadt, und auch nicht auf der Insel.',
  ];
  assert.deepEqual((await find('Turm', ...texts)).slice(0, 2), [texts[1], texts[0]]);
});
