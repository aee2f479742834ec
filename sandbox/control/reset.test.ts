import { expect, test } from 'vitest'
import { createTestProcesses } from '@/tests/sandbox/own-processes'

const { folder, start } = createTestProcesses()

test('a request whose body arrives during seeding changes nothing, and the clock stands still', async () => {
  const { client, process } = await start(folder(), '--payments', '100')
  let sendBodyText = (_text: string) => {}
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sendBodyText = (text) => {
        controller.enqueue(new TextEncoder().encode(text))
        if (text.endsWith('}')) controller.close()
      }
    },
  })
  const headers = {
    authorization: `Bearer ${process.keys.full}`,
    'content-type': 'application/json',
  }
  sendBodyText('{"name":')
  // fetch requires `duplex` for a streamed body, but its TypeScript type lacks that field. An
  // object literal in the call would not compile.
  const requestInit = { method: 'POST', headers, body, duplex: 'half' }
  const slowResponsePromise = fetch(`${process.url}/v1/organizations`, requestInit)
  await expect
    .poll(async () => (await client.control('requests?path=/v1/organizations')).data.length)
    .toBe(1)
  const resetResponsePromise = client.control('reset', { payments: 20_000 })
  await expect
    .poll(async () => (await client.ask('/v1/payments')).status, { interval: 1 })
    .toBe(503)
  sendBodyText('"Late"}')
  expect((await client.controlRaw('clock', { advance_seconds: 60 })).status).toBe(409)
  expect((await slowResponsePromise).status).toBe(503)
  await resetResponsePromise
  expect((await client.ask('/v1/organizations?name=late')).json.data).toEqual([])
})
