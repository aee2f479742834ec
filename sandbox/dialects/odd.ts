import { type Dialect, documentDialect } from './dialect'
import { oddData } from './odd-data'
import { addUnknownFields, makeOddMix, type OddMix } from './odd-object'
import { isJson, type Json, randomAt, toJson } from './odd-values'

const oddNumbers = [0, -1, 0.5, '12', 'many', null, 1e18, Number.MAX_SAFE_INTEGER, {}, []]

const oddFigures: Readonly<Record<string, readonly unknown[]>> = {
  page_number: oddNumbers,
  page_size: oddNumbers,
  total_items: oddNumbers,
  total_pages: oddNumbers,
  max_page_size: oddNumbers,
  sort_by: ['', null, 7, 'nobody_knows'],
  sort_order: ['ascending', 'ASC', null, 1],
  api_request_id: ['', null, 7, 'r'.repeat(3_000), '\u0000', { id: 'r' }],
  api_request_timestamp: ['now', null, 0, '2026-11-22T10:00:00.1234567'],
}

export function oddMeta(mix: OddMix, meta: Json, operation: string): unknown {
  const random = randomAt(mix.seed, 'meta', operation)
  if (random.chance(mix.share / 4)) return random.pick([null, [], '', 'meta', [meta]])
  const oddEntries = Object.entries(meta).flatMap(([name, value]) => {
    const fieldRandom = randomAt(mix.seed, 'meta', operation, name)
    if (!oddFigures[name] || !fieldRandom.chance(mix.share * 2)) return [[name, value]]
    return fieldRandom.chance(0.2) ? [] : [[name, fieldRandom.pick(oddFigures[name])]]
  })
  return addUnknownFields(mix, Object.fromEntries(oddEntries), ['meta', operation])
}

const contentTypes = [
  'text/json',
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain; charset=iso-8859-1',
  'application/json',
  'application/json; charset=utf-16',
  'application/json;charset="UTF-8"',
  'APPLICATION/JSON; charset=nobody-knows',
  'application/vnd.api+json',
  null,
]

export function oddContentType(mix: OddMix, operation: string, defaultContentType: string): string | null {
  const random = randomAt(mix.seed, 'content type', operation)
  return random.chance(mix.share) ? random.pick(contentTypes) : defaultContentType
}

const oddItems = (items: unknown) => [
  null,
  {},
  '',
  'the amount',
  Array.isArray(items) ? items[0] : {},
  [null, 'amount', { reference: 7 }],
  [{ reference: null, detail: null }],
  { amount: 'too large' },
]

/** Returns an error body with odd fields. Its status and texts stay unchanged. */
export function oddRefusal(mix: OddMix, body: Json): Json {
  const error = isJson(body.error) ? body.error : body
  const seedPath = [String(error.type), String(error.detail)]
  const random = randomAt(mix.seed, 'refusal', ...seedPath)
  const oddError = {
    ...error,
    ...(random.chance(mix.share * 2) ? { items: random.pick(oddItems(error.items)) } : {}),
    ...(random.chance(mix.share) ? { type: random.pick(['', '/nobody_knows', null, 7]) } : {}),
  }
  const oddErrorWithUnknownFields = addUnknownFields(mix, oddError, ['refusal', ...seedPath])
  if (error === body || !isJson(body.meta)) return oddErrorWithUnknownFields
  return addUnknownFields(mix, { ...body, meta: oddMeta(mix, body.meta, seedPath.join(' ')), error: oddErrorWithUnknownFields }, [
    'envelope',
    ...seedPath,
  ])
}

/**
 * Returns the interface document's dialect with random undocumented shapes: unknown, missing or wrongly typed fields, values and list
 * items. The parts that a client needs stay unchanged: `response_type` and `data`, each object's own id, tokens, and status and texts of
 * errors. Requests and events stay as documented.
 */
export function oddDialect(seed: number): Dialect {
  const mix = makeOddMix(seed)
  const usualContentType = 'application/json; charset=utf-8'
  return {
    ...documentDialect,
    name: 'odd',
    seed,
    summary: `It speaks oddly on purpose (seed ${seed}): fields, words and shapes that no document has.`,
    data: (data, about) => oddData(mix, toJson(data), about),
    meta: (meta, { operation }) => oddMeta(mix, toJson(meta), operation),
    envelope: (body, { operation }) => addUnknownFields(mix, { ...body }, ['envelope', operation]),
    refusal: (body) => oddRefusal(mix, toJson(body)),
    contentType: (_accept, about) => oddContentType(mix, about?.operation ?? 'refusal', usualContentType),
  }
}
