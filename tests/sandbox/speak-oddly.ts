import { oddDialect, oddRefusal } from '@/sandbox/dialects/odd'
import { mixOf } from '@/sandbox/dialects/odd-object'

/** A response of the service in the interface document's dialect. */
export type Told = { meta: object; response_type: string; data: object }

/** The response in the odd dialect: the content type, if any, and the body's text. */
export type OddAnswer = { contentType: string | null; text: string }

/** Converts responses as a sandbox in the odd dialect would, without a sandbox, so that readers can be tested with many seeds. */
export function speakOddly(seed: number): { answer: (operation: string, told: Told) => OddAnswer; refusal: (body: object) => OddAnswer } {
  const dialect = oddDialect(seed)
  return {
    answer: (operation, { meta, data, ...rest }) => {
      const about = { operation, answers: Array.isArray(data) ? 'array' : 'object' } as const
      const oddData = Array.isArray(data) ? data.map((row: object) => dialect.data(row, about)) : dialect.data(data, about)
      const body = dialect.envelope({ meta: dialect.meta(meta, about), ...rest, data: oddData }, about)
      return { contentType: dialect.contentType(undefined, about), text: JSON.stringify(body) }
    },
    refusal: (body) => ({ contentType: dialect.contentType(undefined), text: JSON.stringify(oddRefusal(mixOf(seed), { ...body })) }),
  }
}
