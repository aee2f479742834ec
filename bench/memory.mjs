import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { printGoal, printTable } from './lib/figures.mjs'
import { pickRandom } from './lib/filters.mjs'
import { readMemoryMib } from './lib/proc.mjs'
import { startSandbox } from './lib/servers.mjs'

const maxMemoryMib = 150

async function buildRequestSenders({ ask }) {
  const fetchList = async (path) => (await ask(path)).data
  const payments = await fetchList('/v1/payments?page_size=500')
  const [customers, paykeys] = [
    await fetchList('/v1/customers?page_size=100'),
    await fetchList('/v1/paykeys?page_size=100'),
  ]
  const fundingEvents = await fetchList('/v1/funding_events?page_size=50')
  const pickPageNumber = () => 1 + Math.floor(Math.random() * 40)
  return [
    () => ask(`/v1/payments?page_size=100&page_number=${pickPageNumber()}`),
    () =>
      ask(
        `/v1/payments?page_size=50&${new URLSearchParams({ search_text: pickRandom(payments).customer_details.name.split(' ')[0] })}`,
      ),
    ...[customers, paykeys].flatMap((all, index) => {
      const path = `/v1/${['customers', 'paykeys'][index]}`
      return [() => ask(`${path}/${pickRandom(all).id}`), () => ask(`${path}?page_size=50`)]
    }),
    () => ask(`/v1/funding_event_payments/${pickRandom(fundingEvents).id}?page_size=100`),
    () => {
      const { id, payment_type } = pickRandom(payments)
      return ask(`/v1/${payment_type}s/${id}`)
    },
    async () => {
      const { id } = await ask('/sandbox/objects/payouts', { method: 'POST', body: '{}' })
      const headers = { 'idempotency-key': randomUUID() }
      return ask(`/v1/payouts/${id}/release`, {
        method: 'PUT',
        body: '{"reason":"checked"}',
        headers,
      })
    },
  ]
}

/**
 * Measures the sandbox's memory with the default data: after its first start, after mixed requests,
 * and after a second start. Linux only, because it reads /proc.
 */
export async function memory({ quick }) {
  const server = await startSandbox({})
  const memoryRows = []
  const addMemoryRow = (when) => {
    memoryRows.push([
      when,
      readMemoryMib(server.pid(), 'VmRSS').toFixed(0),
      readMemoryMib(server.pid(), 'VmHWM').toFixed(0),
    ])
  }
  try {
    // Waits until the garbage of the start is collected.
    await pause(2_000)
    addMemoryRow('first start, seeded')
    const requestCount = quick ? 1_000 : 5_000
    const requestSenders = await buildRequestSenders(server)
    for (let done = 0; done < requestCount; done++)
      await requestSenders[done % requestSenders.length]()
    addMemoryRow(`after ${requestCount} mixed requests`)
    const peakMib = readMemoryMib(server.pid(), 'VmHWM')
    await server.restart()
    await pause(2_000)
    addMemoryRow('started again')
    printTable(['MiB', 'RSS', 'highest'], memoryRows)
    printGoal('memory with the default seed, highest', peakMib, maxMemoryMib, {
      unit: ' MiB',
      digits: 0,
    })
  } finally {
    await server.stop()
  }
}
