// Generates test/fixtures/reading/east-asian/: node test/support/make-east-asian-fixtures.mjs
// Needs qpdf, the Noto CJK fonts (fonts-noto-cjk), and a Chromium that Playwright finds or that CHROMIUM names. Commit
// the files that it writes.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';

const folder = fileURLToPath(new URL('../fixtures/reading/east-asian/', import.meta.url));
const work = await mkdtemp(join(tmpdir(), 'east-asian-'));
await mkdir(folder, { recursive: true });

/** Text that spans two pages, with readings next to ideographs, rotated Latin words, and upright numbers. */
const japanese = `<!doctype html><html lang="ja"><head><title>灯台守の日誌</title><style>
  body { writing-mode: vertical-rl; font: 12pt/1.8 'Noto Serif CJK JP'; text-align: justify }
  h1 { font-size: 22pt } h2 { font-size: 15pt } p { text-indent: 1em; margin: 0 0 0 1em }
  .across { text-combine-upright: all }
</style></head><body><h1>灯台守の日誌</h1>
<h2>第一章&#x3000;岬の灯</h2>
<p>岬の灯台は百年ものあいだ海を照らしてきた。夕方になると灯台守は<ruby>螺旋<rt>らせん</rt></ruby>階段を登り、灯油の量を確かめてからランプに火をともす。船はその光を遠くから見つけ、岸がどこにあるかを知るのである。</p>
<p>一九七四年の秋、大きな嵐が来た。「灯を消すな」と老いた灯台守は言った。風は夜どおし吹き、波は窓の高さにまで達したが、光は一度も途切れなかった。</p>
<h2>第二章&#x3000;新しい記録</h2>
<p>翌年、町から若い技師がPythonという言語で書かれた記録装置を運んできた。装置は<span class="across">24</span>時間ごとに風速と潮位を紙に印字した。灯台守ははじめ疑っていたが、やがて毎朝それを日誌に書き写すようになった。</p>
</body></html>`;

const chinese = `<!doctype html><html lang="zh-Hans"><head><title>灯塔手册</title><style>
  body { font: 11pt/1.7 'Noto Serif CJK SC'; text-align: justify } h1 { font-size: 20pt } h2 { font-size: 13pt }
  main { columns: 2; column-gap: 24pt }
</style></head><body><h1>灯塔手册</h1><main>
<h2>一、灯油</h2>
<p>灯塔每晚需要两升灯油。看守人应在日落之前检查油箱，并把读数写入日志。如果油量低于三分之一，必须在第二天早晨通知港务局，否则当月的补给船将不会停靠。备用油桶存放在地下室，钥匙由看守人保管。</p>
<p>1974年以后，新的压力泵取代了旧的手摇泵，每小时可以输送40升，噪声也小得多。</p>
<h2>二、雾号</h2>
<p>能见度低于500米时，看守人应启动雾号，每九十秒鸣响一次，每次持续六秒。雾散之后仍须再鸣三次，然后才可以关闭。所有时间均以塔内的航海钟为准，并写入日志。</p>
</main></body></html>`;

const korean = `<!doctype html><html lang="ko"><head><title>등대 안내서</title><style>
  body { font: 11pt/1.7 'Noto Serif CJK KR'; text-align: justify; word-break: keep-all } h1 { font-size: 20pt } h2 { font-size: 14pt }
</style></head><body><h1>등대 안내서</h1>
<h2>등불</h2>
<p>등대는 백 년 동안 바다를 비추어 왔다. 저녁마다 등대지기는 계단을 올라 등유의 양을 확인하고 등불을 켠다. 배들은 멀리서 그 빛을 보고 해안이 어디에 있는지 알게 된다.</p>
<h2>안개 신호</h2>
<p>시야가 500미터보다 짧으면 등대지기는 90초마다 한 번씩 안개 신호를 울려야 한다. 안개가 걷힌 뒤에도 세 번 더 울린 다음에 끌 수 있다.</p>
</body></html>`;

const executablePath = process.env.CHROMIUM;
const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath && { executablePath }) });
const page = await browser.newPage();
for (const [name, html, format] of [
  ['vertical.pdf', japanese, 'A5'],
  ['chinese.pdf', chinese, 'A4'],
  ['korean.pdf', korean, 'A5'],
]) {
  await page.setContent(html ?? '');
  await page.pdf({
    path: join(work, name ?? ''),
    format: format ?? 'A5',
    margin: { top: '20mm', bottom: '20mm', left: '15mm', right: '15mm' },
  });
  execFileSync('qpdf', [
    '--object-streams=generate',
    '--recompress-flate',
    '--compression-level=9',
    join(work, name ?? ''),
    join(folder, name ?? ''),
  ]);
}
await browser.close();
await rm(work, { recursive: true });
