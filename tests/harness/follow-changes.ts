import type { ChangedRows } from '@/lib/operations/changes'
import { deskApiPath, eventsPath } from '@/lib/routes'
import type { Person } from './person'
import { waitUntil } from './wait-until'

const parseChanges = (text: string): ChangedRows[] =>
  [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, data = '']) => JSON.parse(data) as ChangedRows[])

/** Receives the change events of an environment as an open page does, and collects them. */
export async function followChanges(person: Person) {
  const abortController = new AbortController()
  const response = await person.send(deskApiPath('sandbox', eventsPath), { signal: abortController.signal })
  if (!response.ok || !response.body) throw new Error(`events: ${response.status} ${await response.text()}`)
  let text = ''
  let hasEnded = false
  const readStream = async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(chunk).toString()
  }
  void readStream()
    .catch(() => {})
    .finally(() => {
      hasEnded = true
    })
  // The stream is active after its first message.
  await waitUntil('the first message', () => text !== '' || null)
  return {
    response,
    heard: () => parseChanges(text),
    /** Waits for the change of the object with this id. */
    told: (id: string) => waitUntil('the change to be told', () => parseChanges(text).find(({ ids }) => ids?.includes(id)) ?? null),
    /** Returns the number of events that name no resource: after them, a page must refetch everything. */
    losses: () => parseChanges(text).filter(({ resource }) => resource === null).length,
    end: () => waitUntil('the stream to end', () => hasEnded || null),
    stop: () => abortController.abort(),
  }
}
