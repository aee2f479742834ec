import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { findQuantile } from './figures.mjs'
import { readMainThreadMs } from './proc.mjs'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/**
 * `busy` is the processor time of the sandbox's main thread in milliseconds, which other processes
 * affect less than the duration `ms`. `account` is sent as a header, all else as query.
 */
export async function timeList(sandbox, path, { account, ...query }) {
  const headers = {
    authorization: `Bearer ${sandbox.key}`,
    ...(account ? { 'service-account-id': account } : {}),
  }
  const busyMsBefore = readMainThreadMs(sandbox.pid())
  const startedAt = performance.now()
  const response = await new Promise((resolve, reject) => {
    request(`${sandbox.url}${path}?${new URLSearchParams(query)}`, { agent, headers }, resolve)
      .once('error', reject)
      .end()
  })
  const body = await text(response)
  const ms = performance.now() - startedAt
  const busyMs = readMainThreadMs(sandbox.pid()) - busyMsBefore
  if (response.statusCode !== 200)
    throw new Error(`${path}?${new URLSearchParams(query)}: ${response.statusCode} ${body}`)
  return { ms, busy: busyMs, ...JSON.parse(body) }
}

export const closeConnection = () => agent.destroy()

/**
 * Returns milliseconds: `busy` is the p95 of the processor time, the other numbers are durations.
 */
export function summarizeTimings(name, timings) {
  const durationsMs = timings.map((one) => one.ms)
  return {
    name,
    p50: findQuantile(durationsMs, 0.5),
    p95: findQuantile(durationsMs, 0.95),
    worst: Math.max(...durationsMs),
    busy: findQuantile(
      timings.map((one) => one.busy),
      0.95,
    ),
  }
}
