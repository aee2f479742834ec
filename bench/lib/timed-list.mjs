import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { findQuantile } from './figures.mjs'
import { readMainThreadMs } from './proc.mjs'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * Fetches one page of a list completely. `ms` is the duration. `busy` is the processor time of the
 * sandbox's main thread in milliseconds, which other processes affect less. `account` is sent as a
 * header, all other fields as the query. Throws if the status is not 200.
 */
export async function timeList(sandbox, path, { account, ...query }) {
  const headers = {
    authorization: `Bearer ${sandbox.key}`,
    ...(account ? { 'service-account-id': account } : {}),
  }
  const busyBefore = readMainThreadMs(sandbox.pid())
  const startedAt = performance.now()
  const response = await new Promise((resolve, reject) => {
    request(`${sandbox.url}${path}?${new URLSearchParams(query)}`, { agent, headers }, resolve)
      .once('error', reject)
      .end()
  })
  const body = await text(response)
  const ms = performance.now() - startedAt
  const busyMs = readMainThreadMs(sandbox.pid()) - busyBefore
  if (response.statusCode !== 200)
    throw new Error(`${path}?${new URLSearchParams(query)}: ${response.statusCode} ${body}`)
  return { ms, busy: busyMs, ...JSON.parse(body) }
}

/** Closes the keep-alive connection. */
export const closeConnection = () => agent.destroy()

/**
 * Returns the quantiles of timed responses in milliseconds: `p50`, `p95` and `worst` of the
 * durations, and `busy`, the p95 of the processor time.
 */
export function summarizeTimings(name, timed) {
  const ms = timed.map((one) => one.ms)
  return {
    name,
    p50: findQuantile(ms, 0.5),
    p95: findQuantile(ms, 0.95),
    worst: Math.max(...ms),
    busy: findQuantile(
      timed.map((one) => one.busy),
      0.95,
    ),
  }
}
