import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { printGoal, printTable } from './lib/figures.mjs'
import { pick } from './lib/filters.mjs'
import { readMemoryMib } from './lib/proc.mjs'
import { startSandbox } from './lib/servers.mjs'

const limit = 150

/** Returns one function per kind of request: reads, searches, lists and a write. */
async function buildRequestKinds({ ask }) {
  const list = async (path) => (await ask(path)).data
  const payments = await list('/v1/payments?page_size=500')
  const [customers, paykeys] = [await list('/v1/customers?page_size=100'), await list('/v1/paykeys?page_size=100')]
  const events = await list('/v1/funding_events?page_size=50')
  const page = () => 1 + Math.floor(Math.random() * 40)
  return [
    () => ask(`/v1/payments?page_size=100&page_number=${page()}`),
    () => ask(`/v1/payments?page_size=50&${new URLSearchParams({ search_text: pick(payments).customer_details.name.split(' ')[0] })}`),
    ...[customers, paykeys].flatMap((all, index) => {
      const path = `/v1/${['customers', 'paykeys'][index]}`
      return [() => ask(`${path}/${pick(all).id}`), () => ask(`${path}?page_size=50`)]
    }),
    () => ask(`/v1/funding_event_payments/${pick(events).id}?page_size=100`),
    () => {
      const { id, payment_type } = pick(payments)
      return ask(`/v1/${payment_type}s/${id}`)
    },
    async () => {
      const { id } = await ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
      const headers = { 'idempotency-key': randomUUID() }
      return ask(`/v1/payouts/${id}/release`, { method: 'PUT', body: '{"reason":"checked"}', headers })
    },
  ]
}

/**
 * Measures the sandbox's memory with the default data: after its first start, after a later start, and after mixed requests. Linux only,
 * because it reads /proc.
 */
export async function memory({ quick }) {
  const server = await startSandbox({})
  const rows = []
  const recordMemory = (when) => {
    rows.push([when, readMemoryMib(server.pid(), 'VmRSS').toFixed(0), readMemoryMib(server.pid(), 'VmHWM').toFixed(0)])
  }
  try {
    // Garbage of the start is collected within these seconds.
    await pause(2_000)
    recordMemory('first start, seeded')
    const requests = quick ? 1_000 : 5_000
    const kinds = await buildRequestKinds(server)
    for (let done = 0; done < requests; done++) await kinds[done % kinds.length]()
    recordMemory(`after ${requests} mixed requests`)
    const after = readMemoryMib(server.pid(), 'VmHWM')
    await server.restart()
    await pause(2_000)
    recordMemory('started again')
    printTable(['MiB', 'RSS', 'highest'], rows)
    printGoal('memory with the default seed, highest', after, limit, { unit: ' MiB', digits: 0 })
  } finally {
    await server.stop()
  }
}
