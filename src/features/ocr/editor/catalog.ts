/** Language of text recognition. */
export interface OfferedLanguage {
  /** Tesseract's language code: `deu`, `chi_sim`. */
  readonly code: string;
  /** Size of its downloaded file. */
  readonly bytes: number;
  readonly sha256: string;
}

/** Language that is included in the extension. */
export const CARRIED_LANGUAGE = 'eng';

/**
 * Tesseract's most accurate models with integer weights, compressed: `4.0.0_best_int/CODE.traineddata.gz` of version
 * 1.0.0 of the npm packages `@tesseract.js-data/CODE`. `node test/support/recognition-language.mjs CODE` prints the
 * line of a language.
 */
export const offeredLanguages: readonly OfferedLanguage[] = [
  language('ara', 1_661_906, 'f4746c44b02342dd5b3d4f0198000f47d7c49f1a229e63e0f436c0592dcd9639'),
  language('ces', 2_225_029, '1ea33a8b6f9a9c18a6aae44a71eda06bbfdc206fe53cf1fc8121fb74def99166'),
  language('chi_sim', 1_718_768, 'b8a23f10c7de500891eb458a8adc9cc58ab7f242f08b7d149f5e9aea4ad5db7c'),
  language('chi_tra', 1_656_239, '11fe2610dab05d8a880d02f193ce70203f4c4bbe061b987d5529a2c038a22743'),
  language('dan', 1_845_116, '6af1a07c22894b728ebc75f0fd0c8519eca002cfab6da903eb4d62e24f163abc'),
  language('deu', 1_333_102, '306c4280d0cbed46fbff727486bd43b92730181bae80f56941a091f363bdf28b'),
  language('ell', 1_324_749, 'e8a293abb398ec479176c1575aef24e2bacb0611c713f3fa996f97f0cd996fb3'),
  language('eng', 2_952_873, '45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91'),
  language('fas', 424_507, 'b5847360e25f646c55449f1fe93eee57d53e406a265ead2374e7320bf0b82025'),
  language('fin', 3_795_323, '138c59f6a0bef68fd98d8baf565477f5cdb5198bfc4a68e558efd3b6a57acadd'),
  language('fra', 707_406, 'd611139672b3752c7097e671e4a1d9209dfd37f2aeb081ef6487fba3351e9255'),
  language('heb', 580_576, '9c70b524200dae77fb25e3567566eee600ccbcae9aeb89722990ccae0e84e805'),
  language('hin', 1_389_692, 'f3b6a0d320df38d886178cdd727b90dbf9df3db053adb32bd9cf73f0463cda07'),
  language('hun', 2_854_466, '99feb1ac618ddd39942d646f1df792e5bd4504df45e1ef68e47df51db476a2ed'),
  language('ind', 1_194_182, 'a8896d2f584a5baae73d658b86b765acc7b15b7ba05e014f62b1a2a23b699a91'),
  language('ita', 1_660_998, 'f702fcfad297ce028ede3626d1467b67939f23ff23595f9badd54681cf25a4d3'),
  language('jpn', 2_030_256, '2b63ebfbf1484de4a08ce53b29ef98a1c17658a93cbd38acb665d7d316d0be88'),
  language('kor', 1_572_336, '78c21276ab14c9bb734d83be1055d9fe5469a4e7e977c51ad385be5737e61126'),
  language('nld', 3_005_696, 'a2d904b6ddc4feb0d31ecfcd7361a554102e7aa2e278c54f4fc029e0d0815571'),
  language('nor', 2_490_241, '6c5d91a5b684da387bfcf16b38bae8d94771812dc9ef706b413c728ca1d37c93'),
  language('pol', 2_642_356, 'a20fdec4ff99d8f8e84c708da3e42a4e935c26863055a0ed88aef5c66a59b91b'),
  language('por', 1_392_239, 'dacebc1386ddaaf8389f81094236cca0d690897cde693d48cbdaa881c86e2b4c'),
  language('ron', 1_692_160, '3c2f550b6369f43254adf637cfe1088c7b6faff3d0382555219315112a24582a'),
  language('rus', 2_679_598, 'f51f5edc992249ff9b70a227b22f242dfa47b2b1bbc7ae0ea74908640c101f6a'),
  language('spa', 2_100_190, '40be52f97b5d4eb7460073dc1f94cd546b27150333c0bf854ed7e7132db6bceb'),
  language('swe', 2_503_095, 'b60d9fea7e570d11d6fdf26c8d0ef1d63b49222313773ce66777ed08fa20dc5a'),
  language('tha', 896_631, '4550a5505184d1b79cf10416d5b19e643001d95411d5e717954dd26feef3ae74'),
  language('tur', 2_141_291, '384ba0dc28040451b7818d7d60e0a88df0d3003fa5a01d713a468779bc3d8c04'),
  language('ukr', 2_114_206, 'ea2789a0ad99ff84bfd252a7410a1e8661a7bc5acaa41573d23b54b71446aa4c'),
  language('vie', 1_423_003, '2284f610f262a1b19ec8df9f196b9ff6ce38ddb4a66329e998941df4b8961c8d'),
];

function language(code: string, bytes: number, sha256: string): OfferedLanguage {
  return { code, bytes, sha256 };
}

/** Returns a language by its code; undefined if it isn't offered. */
export function offeredLanguage(code: string): OfferedLanguage | undefined {
  return offeredLanguages.find((candidate) => candidate.code === code);
}

/** Language tags that distinguish the two Chinese scripts. */
const TAGS: Readonly<Record<string, string>> = { chi_sim: 'zh-Hans', chi_tra: 'zh-Hant' };

/** Returns a language's name in VS Code's display language (`de`, `zh-cn`) or in itself: “German”, “Deutsch”. */
export function languageName(code: string, spoken?: string): string {
  const tag = TAGS[code] ?? code;
  return new Intl.DisplayNames([spoken ?? tag, 'en'], { type: 'language' }).of(tag) ?? code;
}
