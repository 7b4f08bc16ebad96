/*
 * Abbreviations whose full stop ends no sentence, by language. They are tried on texts of all languages: a text that is
 * still being written, or a short one, does not tell its own. So none of them is a word that sentences of another
 * language end with ("sen" is "then" in Swedish, "ir" is "to go" in Spanish), or it stands under `TIED`, or has the
 * capital that the word has not: "Hon. Smith", and "Det gjorde hon." What ends sentences itself, as "etc." and "usw." do,
 * is left out. What is lower-case here may begin with a capital ("Vgl."), and has no others ("cad." is no "CAD.").
 */

/** Abbreviations whatever follows them. */
const ALWAYS: Readonly<Record<string, string>> = {
  en:
    'approx, cf, dr, e. g, eds, esp, i. e, incl, lt, messrs, mr, mrs, mt, prof, resp, viz, vs, Adm, Atty, Capt, Col, ' +
    'Cpl, DR, Ft, Gen, Gov, Hon, MR, MRS, Maj, Ms, Pres, Pvt, Rep, Rev, Sen, Sgt, ST, St, Supt',
  de:
    'allg, bspw, bzw, ca, d, d. h, ehem, evtl, exkl, geb, gegr, ggf, hl, hrsg, inkl, insb, insbes, sog, urspr, vgl, z, zzgl, zzt, ' +
    'Dipl, Fr, Frl, Hr, Hrn, Ing, Mag, Mio, Mrd, Tsd',
  fr: 'éd, mgr, mlle, mlles, mme, mmes, p. ex, MM, Pr, Ste',
  es:
    'aprox, avda, cnel, depto, dpto, dra, dres, lic, p. ej, plza, profa, pza, sra, sras, sres, srta, srtas, tte, Arq, Av, ' +
    'Avd, Dña, Excma, Excmo, Fdo, Gral, Ilma, Ilmo, Ntra, Sta, Sto',
  it: 'avv, cfr, dott, egr, geom, p. es, sig, sigg, spett',
  pt: 'exma, exmo, srs, Cel, Dep, Des, Eng',
  nl: 'bijv, d. w. z, dhr, drs, evt, excl, i. p. v, i. v. m, m. b. t, m. n, mej, mevr, mw, nl, o. a, t. o. v, z. g, zgn, Ir',
  sv: 'bl. a, d. v. s, f. d, jfr, s. k, t. ex',
  no: 'ekskl, f. eks, iflg, jf, pga, vedr',
  da: 'fx, mht, Sct, Skt',
  fi: 'esim, vrt',
  hu: 'ifj, ld, pl, vö, özv, ún, Szt',
  ro: 'jud, Dna, Sf',
  tr: 'bk, bkz, blv, doç, krş, yrd, yzb, çev, öğr, örn, Alb, Arş, Cad, Gör, Mah, Sn, Sok',
  pl: 'bł, ew, hab, inż, kpt, ks, m. in, mjr, np, pow, por, płk, św, tj, tzn, tzw, ul, woj, zob',
  cs: 'mj, např, popř, srov, tzv, Bc, Doc, JUDr, MUDr, MVDr, PaedDr, PhDr, RNDr',
  sk: 'napr, t. j',
  sr: 'npr, odn, sv, нпр, тзв, тј',
  ru: 'акад, доц, канд, напр, о, оз, пер, пл, пос, проф, ред, св, сост, ср, т. е, т. к, т. н, тов, ул',
  uk: 'вул, див, т. зв, ім',
  bg: 'бул, вж, т. нар',
  el: 'αγ, βλ, δηλ, καθ, κ, κα, κκ, λ. χ, π. χ, πρβλ',
  lt: 'plg, pvz, t. y, šv, žr',
  lv: 'piem',
  id: 'bpk, kab, kec, sdr, Jl',
  ga: 'm. sh',
  vi: 'PGS, ThS, TP',
  hy: 'օր',
  ar: 'أ, د',
  hi: 'डा, डॉ, पं, प्रो',
  ta: 'திரு',
};

/** Abbreviations before a number. */
const NUMBERED: Readonly<Record<string, string>> = {
  en:
    'abs, apt, art, ch, chap, col, eq, eqs, fig, figs, no, nos, op, p, par, pp, pt, ref, refs, sec, secs, sect, vol, vols, ' +
    'Apr, Aug, Dec, Feb, Jan, Jul, Jun, Mar, Nov, Oct, Sep, Sept',
  de: 'abb, aufl, bd, kap, max, min, mind, nr, str, tab, tel, Dez, Mär, Okt',
  fr: 'avr, déc, env, févr, janv, juill, livr, rév, tabl',
  es: 'abr, ago, cap, dic, ene, núm, núms, pág, págs, vols',
  it: 'ott, pag, pagg, sez',
  pt: 'dez, fev',
  nl: 'afb, afl, blz, hfst',
  sv: 'fr. o. m, sid, t. o. m',
  da: 'pkt, stk, tlf',
  fi: 'n, nro, puh, taul',
  hu: 'kb, sz, u',
  ro: 'alin, cca',
  tr: 'c, md, s, sf, yak',
  pl: 'godz, ok, pkt, poz, rozdz, rys, ust, wyd, zał',
  cs: 'obr, odst, pozn, r, vyd, č, čl',
  sk: 'ods',
  sr: 'br, sl, бр, сл',
  ru: 'вып, гл, д, кв, корп, ок, п, пп, прим, разд, рис, с, ст, стр, т, табл, тел, ч',
  uk: 'бл, мал, розд, стор',
  bg: 'ал, фиг, чл',
  el: 'αρ, εικ, κεφ, παρ, πίν, σ, σελ, σχ, τηλ',
  lt: 'g, lent, pav, psl',
  lv: 'lpp',
  id: 'gbr, hlm, tgl',
  ga: 'lch, uimh',
  ar: 'ص',
};

/** Abbreviations of several parts. The first part alone may be a word or a unit: "44 v. Chr.", "av. J.-C." */
const IN_PARTS: Readonly<Record<string, string>> = {
  de: 'a. D, m. E, n. Chr, o. Ä, u. U, u. Ä, v. Chr',
  fr: 'apr. J, av. J',
  es: 'EE. UU, a. C',
};

/**
 * Abbreviations that need a certain word before them: "et al." ("al" means "already" in Dutch); "selon M. Dupont"
 * (unlike size M.); "El Sr. García" (unlike Martin Luther King Sr.); "l'ing. Rossi", "l'on. Rossi"; "в г. Томск" (a
 * year can end like this, too); "dl. Popescu", "hr. Jensen", "film pt. „Potop”", "гр. София" (liters, hours, points,
 * grams), "см. рис. 3" (centimeters).
 */
const TIED = new RegExp(
  `(?:${[
    String.raw`(?<![\p{L}\p{N}])et\sal`,
    String.raw`(?<!\p{L})(?:après|avant|avec|chez|comme|contre|depuis|dont|entre|mais|par|pour|que|qui|sans|selon|sur|vers)\sM`,
    String.raw`(?<![\p{L}\p{N}.])(?<!\p{Lu}\p{Ll}{2,30},?\s)[Ss]r`,
    String.raw`(?<!\p{L})(?:[Ee]stimado|[Pp]rezado|Los)\sSr`,
    String.raw`(?<!\p{L})(?:[Dd]el)?l['’](?:arch|ing|on)`,
    String.raw`(?<!\p{L})ad\ses`,
    String.raw`(?<!\p{L})(?:[ВвУу]|[Ии]з)\s[гм]`,
    String.raw`(?<![\p{L}\p{N}.]|\d\s)(?:dl|hr|pt|гр|[Сс]м)`,
  ].join('|')})\\.\\s*$`,
  'u',
);

/** The words before a period, each of them except the last with a period of its own: "p. ej", "d.h", "Vgl. Abb". */
const BEFORE_STOP = /(?:^|[\s([{"'’“‘„«/-])((?:[\p{L}\p{M}]{1,12}\.\s?){0,3}[\p{L}\p{M}]{1,12})\.\s*$/u;
/** "3", "A3", "IV". A single letter is usually a word: "The answer is no. I went." */
const NUMBER = /^(?:\p{Lu}?\d|[IVXLC]{2,}(?!\p{L}))/u;

/** An abbreviation that is a unit after a number: "It takes 5 s. 3 runs were made." */
const QUANTITY = /\d\s?(?:[cdgstu]|kb|max|min|pt|secs?|[гдст])\.\s*$/u;

const always = toForms(ALWAYS);
const numbered = toForms(NUMBERED);
/** Possible next parts of an abbreviation, by the part before the period. */
const inParts = new Map<string, string[]>();
for (const form of toForms(IN_PARTS)) {
  const at = form.lastIndexOf('.');
  const first = form.slice(0, at);
  inParts.set(first, [...(inParts.get(first) ?? []), form.slice(at + 1)]);
}

/**
 * Reports whether the last period belongs to an abbreviation and doesn't end the sentence. `following` is the text
 * after it.
 */
export function endsInAbbreviation(words: string, following: string): boolean {
  if (TIED.test(words)) return true;
  const [next = ''] = /^[\p{L}\p{M}]+/u.exec(following) ?? [];
  return lastForms(words).some(
    (form) =>
      isIn(always, form) ||
      (isIn(numbered, form) && NUMBER.test(following) && !QUANTITY.test(words)) ||
      inParts.get(form)?.includes(next) === true,
  );
}

/** Reports whether the word after the period decides if it belongs to an abbreviation. */
export function isAbbreviationUntold(words: string): boolean {
  return lastForms(words).some((form) => isIn(numbered, form) || inParts.has(form));
}

/** Returns the candidates before the last period, without spaces: for "Vgl. z. B." "B", "z.B", and "Vgl.z.B". */
function lastForms(words: string): string[] {
  const parts = BEFORE_STOP.exec(words)?.[1]?.split(/\.\s?/) ?? [];
  return parts.map((_, at) => parts.slice(at).join('.'));
}

function isIn(forms: ReadonlySet<string>, form: string): boolean {
  return forms.has(form) || forms.has(form.charAt(0).toLowerCase() + form.slice(1));
}

function toForms(lists: Readonly<Record<string, string>>): ReadonlySet<string> {
  return new Set(Object.values(lists).flatMap((list) => list.replaceAll('. ', '.').split(', ')));
}
