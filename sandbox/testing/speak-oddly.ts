import { oddDialect } from '@/sandbox/dialects/odd'
import { oddRefusal } from '@/sandbox/dialects/odd-envelope'
import { mixOf } from '@/sandbox/dialects/odd-object'

/** An answer of the service as the interface document has it. */
export type Told = { meta: object; response_type: string; data: object }

/** The same answer as the odd dialect writes it: the content type, if there is one, and the body's text. */
export type OddAnswer = { contentType: string | null; text: string }

/**
 * What a sandbox that speaks oddly would answer in the place of these answers, without the sandbox: readers can be held against very many seeds
 * that way.
 */
export function speakOddly(seed: number): { answer: (operation: string, told: Told) => OddAnswer; refusal: (body: object) => OddAnswer } {
  const dialect = oddDialect(seed)
  return {
    answer: (operation, { meta, data, ...rest }) => {
      const about = { operation, answers: Array.isArray(data) ? 'array' : 'object' } as const
      const told = Array.isArray(data) ? data.map((row: object) => dialect.data(row, about)) : dialect.data(data, about)
      const body = dialect.envelope({ meta: dialect.meta(meta, about), ...rest, data: told }, about)
      return { contentType: dialect.contentType(undefined, about), text: JSON.stringify(body) }
    },
    refusal: (body) => ({ contentType: dialect.contentType(undefined), text: JSON.stringify(oddRefusal(mixOf(seed), { ...body })) }),
  }
}
