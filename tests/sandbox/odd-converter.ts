import { createOddDialect, toOddErrorBody } from '@/sandbox/dialects/odd'
import { makeOddSettings } from '@/sandbox/dialects/odd-object'

/** A response body of the service as the interface document describes it, before the conversion. */
export type ResponseBody = { meta: object; response_type: string; data: object }

/**
 * A response in the odd dialect, with unusual fields and values: its content type (null for none)
 * and the text of its body.
 */
export type OddResponse = { contentType: string | null; text: string }

/**
 * Returns functions that convert responses as the sandbox does in its odd dialect. They start no
 * process, so that a test can check many seeds quickly.
 */
export function createOddConverter(seed: number): {
  answer: (operation: string, told: ResponseBody) => OddResponse
  refusal: (body: object) => OddResponse
} {
  const dialect = createOddDialect(seed)
  return {
    answer: (operation, { meta, data, ...rest }) => {
      const responseContext = {
        operation,
        answers: Array.isArray(data) ? 'array' : 'object',
      } as const
      const oddData = Array.isArray(data)
        ? data.map((row: object) => dialect.data(row, responseContext))
        : dialect.data(data, responseContext)
      const body = dialect.envelope(
        { meta: dialect.meta(meta, responseContext), ...rest, data: oddData },
        responseContext,
      )
      return {
        contentType: dialect.contentType(undefined, responseContext),
        text: JSON.stringify(body),
      }
    },
    refusal: (body) => ({
      contentType: dialect.contentType(undefined),
      text: JSON.stringify(toOddErrorBody(makeOddSettings(seed), { ...body })),
    }),
  }
}
