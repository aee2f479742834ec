/**
 * Returns the content of a response with placeholders for ids, keys and times. If the results for
 * two responses are equal, a client cannot distinguish the two.
 */
export async function readComparableResponse(response: Response) {
  const { 'request-id': _, date: __, ...headers } = Object.fromEntries(response.headers)
  const comparableText = (await response.text())
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '<uuid>')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replace(/"((?:api_)?request_id|correlation_id|idempotency_key)":"[^"]+"/g, '"$1":"<id>"')
  return { status: response.status, headers, text: comparableText }
}
