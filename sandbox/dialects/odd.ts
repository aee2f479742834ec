import type { Dialect } from './dialect'
import { documentDialect } from './document'
import { oddData } from './odd-data'
import { oddContentType, oddMeta, oddRefusal } from './odd-envelope'
import { mixOf, withStrangers } from './odd-object'
import { toJson } from './odd-values'

/**
 * The interface document's way with shapes that nobody wrote down, which a seed draws: fields, words and rows that a reader does not know, or finds
 * missing, or finds to be something else. What stays readable is what a client cannot act without: `response_type` and `data`, the objects' own ids,
 * the tokens given to act with, and the status and words of a refusal. Requests and events are the document's.
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
