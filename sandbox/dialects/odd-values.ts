import { type Make, type Oddity, oddTexts } from './odd-texts'

export type Json = Record<string, unknown>

/** True for an object that is neither an array nor null. */
export const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

export const toJson = (object: object): Json => JSON.parse(JSON.stringify(object)) as Json

const isNumber = (value: unknown): boolean => typeof value === 'number'
const isTruth = (value: unknown): boolean => typeof value === 'boolean'
const isNull = (value: unknown): boolean => value === null
const isThere = (value: unknown): boolean => value !== null

const nameOf = (entry: unknown, at: number): string => (isJson(entry) && typeof entry.id === 'string' ? entry.id : `n${at}`)

/** Related payments as a map of id to relationship, as in one of the provider's contracts. */
const asRelationships = (list: readonly unknown[]): Json =>
  Object.fromEntries(list.map((entry, at) => [nameOf(entry, at), isJson(entry) ? (entry.relationship ?? entry.status ?? null) : entry]))

const asMap = (list: readonly unknown[]): Json => Object.fromEntries(list.map((entry, at) => [nameOf(entry, at), entry]))

const withStranger: Make<readonly unknown[]> = (list, random) =>
  list.toSpliced(random.int(0, list.length), 0, random.pick([null, 7, 'a text', [], {}, { id: null }, [[]]]))

const personal = /name|email|phone|address|number|paykey|token|ssn|dob|ein|tax_id|mask|ip$|agent/

/** True for an object without personal fields: only such an object may lose its keys. */
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
  { name: 'map of a list', fits: Array.isArray, make: asMap },
  { name: 'relationships of a list', fits: Array.isArray, make: asRelationships },
  { name: 'one for a list', fits: Array.isArray, make: (list: readonly unknown[]) => list[0] ?? {} },
  {
    name: 'text for a list',
    fits: Array.isArray,
    make: (list: readonly unknown[]) => list.map((entry) => JSON.stringify(entry)).join(','),
  },
  { name: 'stranger in a list', fits: Array.isArray, make: withStranger },
  { name: 'entries of a map', fits: isMap, make: asEntries },
  { name: 'values of a map', fits: isMap, make: (map: Json) => Object.values(map) },
  { name: 'list of one', fits: isJson, make: (map: Json) => [map] },
  { name: 'text for an object', fits: isJson, make: (map: Json) => JSON.stringify(map) },
  { name: 'empty object', fits: isJson, make: () => ({}) },
  { name: 'something for nothing', fits: isNull, make: (_value, random) => random.pick(['', {}, [], 0, false, 'null']) },
  { name: 'nothing for something', fits: isThere, make: () => null },
  { name: 'left out', fits: () => true, make: () => undefined },
]

export const oddities: readonly Oddity[] = [...oddTexts, ...otherShapes]
