import type { Dialect } from './dialect'
import { documentDialect } from './document'
import { oddData } from './odd-data'
import { oddContentType, oddMeta, oddRefusal } from './odd-envelope'
import { mixOf, withStrangers } from './odd-object'
import { toJson } from './odd-values'

/**
 * Returns the interface document's dialect with random undocumented shapes: fields, words and rows that are unknown, missing or of another
 * type. The parts a client needs stay readable: `response_type` and `data`, the objects' own ids, tokens for later requests, and the status
 * and texts of errors. Requests and events stay as documented.
 */
export function oddDialect(seed: number): Dialect {
  const mix = mixOf(seed)
  const usual = 'application/json; charset=utf-8'
  return {
    ...documentDialect,
    name: 'odd',
    seed,
    summary: `It speaks oddly on purpose (seed ${seed}): fields, words and shapes that no document has.`,
    data: (data, about) => oddData(mix, toJson(data), about),
    meta: (meta, { operation }) => oddMeta(mix, toJson(meta), operation),
    envelope: (body, { operation }) => withStrangers(mix, { ...body }, ['envelope', operation]),
    refusal: (body) => oddRefusal(mix, toJson(body)),
    contentType: (_accept, about) => oddContentType(mix, about?.operation ?? 'refusal', usual),
  }
}
