import { Random } from '@/sandbox/store/random'

/** Returns the odd replacement of a value; undefined removes the field. */
type OddValueMaker<Value> = (value: Value, random: Random) => unknown

/**
 * A replacement that makes a value odd, to test how clients handle it. `fits` is true for the
 * values that it can replace. The result stays in the same field.
 */
export type Oddity = { name: string; fits: (value: unknown) => boolean; make: OddValueMaker<never> }

const makeTextPredicate =
  (form: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && form.test(value)

const isAnyText = makeTextPredicate(/^/)
const isWord = makeTextPredicate(/^[a-z][a-z_]{1,40}$/)
const isDateText = makeTextPredicate(/^\d{4}-\d\d-\d\d/)
const isUuid = makeTextPredicate(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i)
const isDigits = makeTextPredicate(/^-?\d{1,15}$/)

const makeValuePicker =
  (...values: readonly unknown[]): OddValueMaker<string> =>
  (_value, random) =>
    random.pick(values)

/**
 * Texts that clients often handle badly: right-to-left text, an unclosed direction override, an
 * emoji of many code points, stacked diacritics, and characters that no text should contain.
 */
const unusualUnicodeTexts = [
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

const unknownWords = [
  'quarantined',
  'ON_HOLD',
  'under review',
  'pending-2',
  'x',
  'unknown',
  'toString',
  '__proto__',
  'prüfung',
  'нет',
  '',
]

const invalidIds = [
  'pay_01HZX5',
  '42',
  'not-a-uuid',
  '{018f4c1e-7a3b-7c2d-9e10-0a1b2c3d4e5f}',
  '../../accounts',
  '',
]

/** Inserts version and variant digits that the service never uses in its ids. */
const changeUuidVersion: OddValueMaker<string> = (value, random) =>
  `${value.slice(0, 14)}${random.pick([...'0158f'])}${value.slice(15, 19)}${random.pick([...'7cef'])}${value.slice(20)}`

const removeTimeZone: OddValueMaker<string> = (value) => value.replace(/Z$/, '')
const writeSevenFractionDigits: OddValueMaker<string> = (value) =>
  value.replace(/(\.\d+)?Z$/, '.1234567Z')
const toUnixSeconds: OddValueMaker<string> = (value) => Math.floor(Date.parse(value) / 1000)
const toUnixMilliseconds: OddValueMaker<string> = (value) => String(Date.parse(value))
const makeLongText: OddValueMaker<string> = (value) =>
  `${value.slice(0, 100)} ${'very long '.repeat(300)}`

/** Personal values and tokens may change their form, but never appear in another field. */
const textOddities: readonly Oddity[] = [
  { name: 'unknown word', fits: isWord, make: makeValuePicker(...unknownWords) },
  { name: 'newer word', fits: isWord, make: (value: string) => `${value}_v2` },
  { name: 'louder word', fits: isWord, make: (value: string) => value.toUpperCase() },
  { name: 'number for a word', fits: isWord, make: (_value, random) => random.int(0, 9) },
  { name: 'no zone', fits: isDateText, make: removeTimeZone },
  { name: 'seven digits', fits: isDateText, make: writeSevenFractionDigits },
  { name: 'seconds', fits: isDateText, make: toUnixSeconds },
  { name: 'milliseconds', fits: isDateText, make: toUnixMilliseconds },
  {
    name: 'no moment',
    fits: isDateText,
    make: makeValuePicker(
      'yesterday',
      '',
      '0000-00-00T00:00:00Z',
      '+275760-09-14T00:00:00Z',
      '2026-02-31',
      0,
      -1,
      1e21,
    ),
  },
  { name: 'no id', fits: isUuid, make: makeValuePicker(...invalidIds, 7) },
  { name: 'other version', fits: isUuid, make: changeUuidVersion },
  { name: 'loud id', fits: isUuid, make: (value: string) => value.toUpperCase() },
  { name: 'number', fits: isDigits, make: Number },
  { name: 'decimals', fits: isDigits, make: (value: string) => `${value}.00` },
  {
    name: 'thousands',
    fits: isDigits,
    make: (value: string) => Number(value).toLocaleString('en-US'),
  },
  {
    name: 'no number',
    fits: isDigits,
    make: makeValuePicker('NaN', '', '1e3', '--', 'USD 12', '99999999999999999999', '-0'),
  },
  { name: 'empty', fits: isAnyText, make: makeValuePicker('', ' ') },
  { name: 'unicode', fits: isAnyText, make: makeValuePicker(...unusualUnicodeTexts) },
  { name: 'long', fits: isAnyText, make: makeLongText },
  { name: 'truth for a text', fits: isAnyText, make: makeValuePicker(true, false) },
  { name: 'object for a text', fits: isAnyText, make: (value: string) => ({ value, lang: 'en' }) },
  { name: 'list for a text', fits: isAnyText, make: (value: string) => [value] },
]

export type JsonObject = Record<string, unknown>

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const toJsonObject = (object: object): JsonObject =>
  JSON.parse(JSON.stringify(object)) as JsonObject

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isBoolean = (value: unknown): boolean => typeof value === 'boolean'
const isNull = (value: unknown): boolean => value === null
const isNotNull = (value: unknown): boolean => value !== null

const getEntryKey = (entry: unknown, index: number): string =>
  isJsonObject(entry) && typeof entry.id === 'string' ? entry.id : `n${index}`

/**
 * Returns a map instead of a list, because one of the provider's contracts has such a map for
 * related payments.
 */
const toRelationshipMap = (list: readonly unknown[]): JsonObject =>
  Object.fromEntries(
    list.map((entry, at) => [
      getEntryKey(entry, at),
      isJsonObject(entry) ? (entry.relationship ?? entry.status ?? null) : entry,
    ]),
  )

const toKeyedMap = (list: readonly unknown[]): JsonObject =>
  Object.fromEntries(list.map((entry, at) => [getEntryKey(entry, at), entry]))

const insertOddItem: OddValueMaker<readonly unknown[]> = (list, random) =>
  list.toSpliced(
    random.int(0, list.length),
    0,
    random.pick([null, 7, 'a text', [], {}, { id: null }, [[]]]),
  )

const personalFieldPattern =
  /name|email|phone|address|number|paykey|token|ssn|dob|ein|tax_id|mask|ip$|agent/

/** Personal values must stay in fields with their own names, not in a list of values. */
const isObjectWithoutPersonalFields = (value: unknown): boolean =>
  isJsonObject(value) && !Object.keys(value).some((name) => personalFieldPattern.test(name))

const toKeyValueList = (map: JsonObject): JsonObject[] =>
  Object.entries(map).map(([key, value]) => ({ key, value }))

const nonTextOddities: readonly Oddity[] = [
  { name: 'text for a number', fits: isNumber, make: String },
  { name: 'decimals for a number', fits: isNumber, make: (value: number) => `${value}.00` },
  { name: 'fraction', fits: isNumber, make: (value: number) => value + 0.5 },
  { name: 'less than nothing', fits: isNumber, make: (value: number) => -1 - Math.abs(value) },
  { name: 'more than all', fits: isNumber, make: (value: number) => value + 1e21 },
  {
    name: 'object for a number',
    fits: isNumber,
    make: (value: number) => ({ amount: value, currency: 'USD' }),
  },
  { name: 'list for a number', fits: isNumber, make: (value: number) => [value] },
  { name: 'text for a truth', fits: isBoolean, make: String },
  {
    name: 'loud text for a truth',
    fits: isBoolean,
    make: (value: boolean) => String(value).toUpperCase(),
  },
  { name: 'number for a truth', fits: isBoolean, make: Number },
  { name: 'word for a truth', fits: isBoolean, make: (value: boolean) => (value ? 'yes' : 'no') },
  { name: 'list for a truth', fits: isBoolean, make: (value: boolean) => [value] },
  { name: 'map of a list', fits: Array.isArray, make: toKeyedMap },
  { name: 'relationships of a list', fits: Array.isArray, make: toRelationshipMap },
  {
    name: 'one for a list',
    fits: Array.isArray,
    make: (list: readonly unknown[]) => list[0] ?? {},
  },
  {
    name: 'text for a list',
    fits: Array.isArray,
    make: (list: readonly unknown[]) => list.map((entry) => JSON.stringify(entry)).join(','),
  },
  { name: 'stranger in a list', fits: Array.isArray, make: insertOddItem },
  { name: 'entries of a map', fits: isObjectWithoutPersonalFields, make: toKeyValueList },
  {
    name: 'values of a map',
    fits: isObjectWithoutPersonalFields,
    make: (map: JsonObject) => Object.values(map),
  },
  { name: 'list of one', fits: isJsonObject, make: (map: JsonObject) => [map] },
  {
    name: 'text for an object',
    fits: isJsonObject,
    make: (map: JsonObject) => JSON.stringify(map),
  },
  { name: 'empty object', fits: isJsonObject, make: () => ({}) },
  {
    name: 'something for nothing',
    fits: isNull,
    make: (_value, random) => random.pick(['', {}, [], 0, false, 'null']),
  },
  { name: 'nothing for something', fits: isNotNull, make: () => null },
  { name: 'left out', fits: () => true, make: () => undefined },
]

export const oddities: readonly Oddity[] = [...textOddities, ...nonTextOddities]

/** The seed and the path are hashed (FNV-1a), so values for different paths are independent. */
export function createSeededRandom(seed: number, ...place: readonly string[]): Random {
  let hash = 0x811c9dc5
  for (const segment of [String(seed), ...place]) {
    for (let at = 0; at < segment.length; at += 1)
      hash = Math.imul(hash ^ segment.charCodeAt(at), 0x01000193)
    hash = Math.imul(hash ^ 0xff, 0x01000193)
  }
  return new Random(hash)
}
