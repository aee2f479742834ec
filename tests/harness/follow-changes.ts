import type { ChangedRows } from '@/lib/operations/changes'
import { deskApiPath, eventsPath } from '@/lib/routes'
import type { Person } from './person'
import { waitUntil } from './wait-until'

const parseChanges = (text: string): ChangedRows[] =>
  [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '']) => JSON.parse(data) as ChangedRows[])

/**
 * Opens the event stream of the sandbox environment, as a page does. Collects the changes that the
 * server sends.
 */
export async function followChanges(person: Person) {
  const abortController = new AbortController()
  const response = await person.send(deskApiPath('sandbox', eventsPath), {
    signal: abortController.signal,
  })
  if (!response.ok || !response.body)
    throw new Error(`events: ${response.status} ${await response.text()}`)
  let receivedText = ''
  let hasEnded = false
  const collectStreamText = async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      receivedText += Buffer.from(chunk).toString()
  }
  void collectStreamText()
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })
  // The server subscribes to changes before it sends the first message, so no later change is
  // missed.
  await waitUntil('the first message', () => receivedText !== '' || null)
  return {
    response,
    heard: () => parseChanges(receivedText),
    /** Waits for the change of the object with this id. */
    told: (id: string) =>
      waitUntil(
        'the change to be told',
        () => parseChanges(receivedText).find(({ ids }) => ids?.includes(id)) ?? null,
      ),
    /**
     * Returns the number of changes without a resource. Each means that anything may have changed,
     * so a page must refetch everything.
     */
    losses: () => parseChanges(receivedText).filter(({ resource }) => resource === null).length,
    end: () => waitUntil('the stream to end', () => hasEnded || null),
    stop: () => abortController.abort(),
  }
}
