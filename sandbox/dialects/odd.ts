import { type Dialect, documentedDialect } from './dialect'
import { toOddData } from './odd-data'
import { addUnknownFields, makeOddSettings, type OddDialectSettings } from './odd-object'
import { createSeededRandom, isJsonObject, type JsonObject, toJsonObject } from './odd-values'

const oddMetaNumbers = [0, -1, 0.5, '12', 'many', null, 1e18, Number.MAX_SAFE_INTEGER, {}, []]

const oddValuesByField: Readonly<Record<string, readonly unknown[]>> = {
  page_number: oddMetaNumbers,
  page_size: oddMetaNumbers,
  total_items: oddMetaNumbers,
  total_pages: oddMetaNumbers,
  max_page_size: oddMetaNumbers,
  sort_by: ['', null, 7, 'nobody_knows'],
  sort_order: ['ascending', 'ASC', null, 1],
  api_request_id: ['', null, 7, 'r'.repeat(3_000), '\u0000', { id: 'r' }],
  api_request_timestamp: ['now', null, 0, '2026-11-22T10:00:00.1234567'],
}

export function toOddMeta(
  settings: OddDialectSettings,
  meta: JsonObject,
  operation: string,
): unknown {
  const random = createSeededRandom(settings.seed, 'meta', operation)
  if (random.chance(settings.share / 4)) return random.pick([null, [], '', 'meta', [meta]])
  const metaEntriesWithOddities = Object.entries(meta).flatMap(([name, value]) => {
    const fieldRandom = createSeededRandom(settings.seed, 'meta', operation, name)
    if (!oddValuesByField[name] || !fieldRandom.chance(settings.share * 2)) return [[name, value]]
    return fieldRandom.chance(0.2) ? [] : [[name, fieldRandom.pick(oddValuesByField[name])]]
  })
  return addUnknownFields(settings, Object.fromEntries(metaEntriesWithOddities), [
    'meta',
    operation,
  ])
}

const oddContentTypes = [
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

export function pickContentType(
  settings: OddDialectSettings,
  operation: string,
  defaultContentType: string,
): string | null {
  const random = createSeededRandom(settings.seed, 'content type', operation)
  return random.chance(settings.share) ? random.pick(oddContentTypes) : defaultContentType
}

const makeOddErrorItems = (items: unknown) => [
  null,
  {},
  '',
  'the amount',
  Array.isArray(items) ? items[0] : {},
  [null, 'amount', { reference: 7 }],
  [{ reference: null, detail: null }],
  { amount: 'too large' },
]

/** The error's status and texts stay unchanged. */
export function toOddErrorBody(settings: OddDialectSettings, body: JsonObject): JsonObject {
  const error = isJsonObject(body.error) ? body.error : body
  const seedPath = [String(error.type), String(error.detail)]
  const random = createSeededRandom(settings.seed, 'refusal', ...seedPath)
  const oddError = {
    ...error,
    ...(random.chance(settings.share * 2)
      ? { items: random.pick(makeOddErrorItems(error.items)) }
      : {}),
    ...(random.chance(settings.share) ? { type: random.pick(['', '/nobody_knows', null, 7]) } : {}),
  }
  const oddErrorWithUnknownFields = addUnknownFields(settings, oddError, ['refusal', ...seedPath])
  if (error === body || !isJsonObject(body.meta)) return oddErrorWithUnknownFields
  return addUnknownFields(
    settings,
    {
      ...body,
      meta: toOddMeta(settings, body.meta, seedPath.join(' ')),
      error: oddErrorWithUnknownFields,
    },
    ['envelope', ...seedPath],
  )
}

/**
 * Returns a dialect whose responses have random irregularities: unknown, missing or wrongly typed
 * fields, values and list items. It tests how clients handle them. The parts that a client needs
 * stay unchanged: the envelope's `response_type` and `data`, each object's own id, tokens, and the
 * status and texts of errors. Requests and events are as in the interface document.
 */
export function createOddDialect(seed: number): Dialect {
  const settings = makeOddSettings(seed)
  const usualContentType = 'application/json; charset=utf-8'
  return {
    ...documentedDialect,
    name: 'odd',
    seed,
    summary: `It speaks oddly on purpose (seed ${seed}): fields, words and shapes that no document has.`,
    data: (data, about) => toOddData(settings, toJsonObject(data), about),
    meta: (meta, { operation }) => toOddMeta(settings, toJsonObject(meta), operation),
    envelope: (body, { operation }) =>
      addUnknownFields(settings, { ...body }, ['envelope', operation]),
    refusal: (body) => toOddErrorBody(settings, toJsonObject(body)),
    contentType: (_accept, about) =>
      pickContentType(settings, about?.operation ?? 'refusal', usualContentType),
  }
}
