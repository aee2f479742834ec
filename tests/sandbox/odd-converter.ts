import { oddDialect, oddRefusal } from '@/sandbox/dialects/odd'
import { makeOddMix } from '@/sandbox/dialects/odd-object'

/** A response body of the service in the interface document's dialect. */
export type ResponseBody = { meta: object; response_type: string; data: object }

/** A response in the odd dialect: its content type (null for none) and the text of its body. */
export type OddAnswer = { contentType: string | null; text: string }

/** Returns functions that convert responses like the odd dialect, without a process. Tests can thus read responses of many seeds. */
export function createOddConverter(seed: number): {
  answer: (operation: string, told: ResponseBody) => OddAnswer
  refusal: (body: object) => OddAnswer
} {
  const dialect = oddDialect(seed)
  return {
    answer: (operation, { meta, data, ...rest }) => {
      const answerContext = { operation, answers: Array.isArray(data) ? 'array' : 'object' } as const
      const oddData = Array.isArray(data) ? data.map((row: object) => dialect.data(row, answerContext)) : dialect.data(data, answerContext)
      const body = dialect.envelope({ meta: dialect.meta(meta, answerContext), ...rest, data: oddData }, answerContext)
      return { contentType: dialect.contentType(undefined, answerContext), text: JSON.stringify(body) }
    },
    refusal: (body) => ({ contentType: dialect.contentType(undefined), text: JSON.stringify(oddRefusal(makeOddMix(seed), { ...body })) }),
  }
}
