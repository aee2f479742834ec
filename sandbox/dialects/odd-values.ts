import { Random } from '@/sandbox/store/random'

/** Returns the odd replacement of a value; undefined removes the field. */
type OddMaker<Value> = (value: Value, random: Random) => unknown

/** One kind of odd value: `fits` selects the values, `make` returns the odd one. It stays in the field of the original value. */
export type Oddity = { name: string; fits: (value: unknown) => boolean; make: OddMaker<never> }

const isTextLike =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value)

const isAnyText = isTextLike(/^/)
const isWord = isTextLike(/^[a-z][a-z_]{1,40}$/)
const isMoment = isTextLike(/^\d{4}-\d\d-\d\d/)
const isUuid = isTextLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
const isDigits = isTextLike(/^-?\d{1,15}$/)

const pickValue =
  (...values: readonly unknown[]): OddMaker<string> =>
  (_value, random) =>
    random.pick(values)

/**
 * Right-to-left text, an unclosed direction override, an emoji of many code points, stacked diacritics, and characters that no text should
 * contain.
 */
const unicode = [
  'قيد المراجعة',
  '\u202Edetpecca',
  '👩🏽‍🚀🏳️‍🌈',
  `Z${'\u0334\u0352\u0321'.repeat(12)}algo`,
  'e\u0301 is not \u00E9',
  '\u0000',
  'half of a pair: \uD83D',
  '\u200B\u2028\uFEFF',
  'ﷺ𝔘𝔫𝔦𝔠𝔬𝔡𝔢',
]

const unknownWords = ['quarantined', 'ON_HOLD', 'under review', 'pending-2', 'x', 'unknown', 'toString', '__proto__', 'prüfung', 'нет', '']

const noIds = ['pay_01HZX5', '42', 'not-a-uuid', '{018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f}', '../../accounts', '']

/** Changes version and variant of a UUID to unassigned ones. */
const otherVersion: OddMaker<string> = (value, random) =>
  `${value.slice(0, 14)}${random.pick([...'0158f'])}${value.slice(15, 19)}${random.pick([...'7cef'])}${value.slice(20)}`

const withoutZone: OddMaker<string> = (value) => value.replace(/Z$/, '')
const sevenDigits: OddMaker<string> = (value) => value.replace(/(\.\d+)?Z$/, '.1234567Z')
const seconds: OddMaker<string> = (value) => Math.floor(Date.parse(value) / 1000)
const milliseconds: OddMaker<string> = (value) => String(Date.parse(value))
const longText: OddMaker<string> = (value) => `${value.slice(0, 100)} ${'very long '.repeat(300)}`

/** Odd values for texts. A name, account number or token only changes its shape: it never appears in another field. */
const oddTexts: readonly Oddity[] = [
  { name: 'unknown word', fits: isWord, make: pickValue(...unknownWords) },
  { name: 'newer word', fits: isWord, make: (value: string) => `${value}_v2` },
  { name: 'louder word', fits: isWord, make: (value: string) => value.toUpperCase() },
  { name: 'number for a word', fits: isWord, make: (_value, random) => random.int(0, 9) },
  { name: 'no zone', fits: isMoment, make: withoutZone },
  { name: 'seven digits', fits: isMoment, make: sevenDigits },
  { name: 'seconds', fits: isMoment, make: seconds },
  { name: 'milliseconds', fits: isMoment, make: milliseconds },
  {
    name: 'no moment',
    fits: isMoment,
    make: pickValue('yesterday', '', '0000-00-00T00:00:00Z', '+275760-09-14T00:00:00Z', '2026-02-31', 0, -1, 1e21),
  },
  { name: 'no id', fits: isUuid, make: pickValue(...noIds, 7) },
  { name: 'other version', fits: isUuid, make: otherVersion },
  { name: 'loud id', fits: isUuid, make: (value: string) => value.toUpperCase() },
  { name: 'number', fits: isDigits, make: Number },
  { name: 'decimals', fits: isDigits, make: (value: string) => `${value}.00` },
  { name: 'thousands', fits: isDigits, make: (value: string) => Number(value).toLocaleString('en-US') },
  { name: 'no number', fits: isDigits, make: pickValue('NaN', '', '1e3', '--', 'USD 12', '99999999999999999999', '-0') },
  { name: 'empty', fits: isAnyText, make: pickValue('', ' ') },
  { name: 'unicode', fits: isAnyText, make: pickValue(...unicode) },
  { name: 'long', fits: isAnyText, make: longText },
  { name: 'truth for a text', fits: isAnyText, make: pickValue(true, false) },
  { name: 'object for a text', fits: isAnyText, make: (value: string) => ({ value, lang: 'en' }) },
  { name: 'list for a text', fits: isAnyText, make: (value: string) => [value] },
]

export type Json = Record<string, unknown>

export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export const toJson = (object: object): Json => JSON.parse(JSON.stringify(object)) as Json

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isTruth = (value: unknown): boolean => typeof value === 'boolean'
const isNull = (value: unknown): boolean => value === null
const isNotNull = (value: unknown): boolean => value !== null

const entryKey = (entry: unknown, at: number): string => (isJson(entry) && typeof entry.id === 'string' ? entry.id : `n${at}`)

/** Converts a list of related payments to a map of id to relationship, as in one of the provider's contracts. */
const toRelationshipMap = (list: readonly unknown[]): Json =>
  Object.fromEntries(list.map((entry, at) => [entryKey(entry, at), isJson(entry) ? (entry.relationship ?? entry.status ?? null) : entry]))

const toKeyedMap = (list: readonly unknown[]): Json => Object.fromEntries(list.map((entry, at) => [entryKey(entry, at), entry]))

const addStrangeEntry: OddMaker<readonly unknown[]> = (list, random) =>
  list.toSpliced(random.int(0, list.length), 0, random.pick([null, 7, 'a text', [], {}, { id: null }, [[]]]))

const personal = /name|email|phone|address|number|paykey|token|ssn|dob|ein|tax_id|mask|ip$|agent/

/**
 * True for an object without personal fields. Only such an object may lose its field names, so that personal values stay in their own
 * fields.
 */
const isMap = (value: unknown): boolean => isJson(value) && !Object.keys(value).some((name) => personal.test(name))

const asEntries = (map: Json): Json[] => Object.entries(map).map(([key, value]) => ({ key, value }))

const otherShapes: readonly Oddity[] = [
  { name: 'text for a number', fits: isNumber, make: String },
  { name: 'decimals for a number', fits: isNumber, make: (value: number) => `${value}.00` },
  { name: 'fraction', fits: isNumber, make: (value: number) => value + 0.5 },
  { name: 'less than nothing', fits: isNumber, make: (value: number) => -1 - Math.abs(value) },
  { name: 'more than all', fits: isNumber, make: (value: number) => value + 1e21 },
  { name: 'object for a number', fits: isNumber, make: (value: number) => ({ amount: value, currency: 'USD' }) },
  { name: 'list for a number', fits: isNumber, make: (value: number) => [value] },
  { name: 'text for a truth', fits: isTruth, make: String },
  { name: 'loud text for a truth', fits: isTruth, make: (value: boolean) => String(value).toUpperCase() },
  { name: 'number for a truth', fits: isTruth, make: Number },
  { name: 'word for a truth', fits: isTruth, make: (value: boolean) => (value ? 'yes' : 'no') },
  { name: 'list for a truth', fits: isTruth, make: (value: boolean) => [value] },
  { name: 'map of a list', fits: Array.isArray, make: toKeyedMap },
  { name: 'relationships of a list', fits: Array.isArray, make: toRelationshipMap },
  { name: 'one for a list', fits: Array.isArray, make: (list: readonly unknown[]) => list[0] ?? {} },
  {
    name: 'text for a list',
    fits: Array.isArray,
    make: (list: readonly unknown[]) => list.map((entry) => JSON.stringify(entry)).join(','),
  },
  { name: 'stranger in a list', fits: Array.isArray, make: addStrangeEntry },
  { name: 'entries of a map', fits: isMap, make: asEntries },
  { name: 'values of a map', fits: isMap, make: (map: Json) => Object.values(map) },
  { name: 'list of one', fits: isJson, make: (map: Json) => [map] },
  { name: 'text for an object', fits: isJson, make: (map: Json) => JSON.stringify(map) },
  { name: 'empty object', fits: isJson, make: () => ({}) },
  { name: 'something for nothing', fits: isNull, make: (_value, random) => random.pick(['', {}, [], 0, false, 'null']) },
  { name: 'nothing for something', fits: isNotNull, make: () => null },
  { name: 'left out', fits: () => true, make: () => undefined },
]

export const oddities: readonly Oddity[] = [...oddTexts, ...otherShapes]

/**
 * Returns a random generator for a seed and a place, such as a field's path. Its seed is a hash (FNV-1a) of both, so values of different
 * places are independent.
 */
export function randomAt(seed: number, ...place: readonly string[]): Random {
  let hash = 0x811c9dc5
  for (const segment of [String(seed), ...place]) {
    for (let at = 0; at < segment.length; at += 1) hash = Math.imul(hash ^ segment.charCodeAt(at), 0x01000193)
    hash = Math.imul(hash ^ 0xff, 0x01000193)
  }
  return new Random(hash)
}
