import { once } from 'node:events'
import { request } from 'node:http'
import autocannon from 'autocannon'
import { findMedian } from './figures.mjs'
import { readCpuMs } from './proc.mjs'

/** Concurrent clients when pages per second are measured. */
export const clientCount = 8

/** Milliseconds added to each call to simulate a service that is far away. */
export const farServiceDelayMs = 100

/** Returns milliseconds from the request to the `first` and the last (`whole`) byte of the body. */
export async function loadPage({ url, headers }) {
  const startedAt = performance.now()
  const sentRequest = request(url, { headers })
  sentRequest.end()
  const [response] = await once(sentRequest, 'response')
  const chunks = []
  let firstByteMs
  for await (const chunk of response) {
    firstByteMs ??= performance.now() - startedAt
    chunks.push(chunk)
  }
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode}`)
  return { html: Buffer.concat(chunks), first: firstByteMs, whole: performance.now() - startedAt }
}

/** `cpu` is the server's processor time per load. All times are milliseconds. */
export async function loadSequentially(target, loadCount) {
  const cpuBefore = readCpuMs(target.pid)
  const pageLoads = []
  for (let at = 0; at < loadCount; at += 1) pageLoads.push(await loadPage(target))
  const findMedianOf = (name) => findMedian(pageLoads.map((one) => one[name]))
  return {
    cpu: (readCpuMs(target.pid) - cpuBefore) / loadCount,
    first: findMedianOf('first'),
    whole: findMedianOf('whole'),
    html: pageLoads[0].html,
  }
}

/** Returns the pages per second for `crowd` concurrent clients over `duration` seconds. */
export async function measureRequestsPerSecond({ url, headers }, { crowd, duration }) {
  const { requests, non2xx, errors, timeouts } = await autocannon({
    url,
    headers,
    connections: crowd,
    duration,
  })
  if (non2xx + errors + timeouts > 0)
    throw new Error(
      `${url}: ${non2xx} answers were not 200, ${errors} errors, ${timeouts} timeouts`,
    )
  return requests.total / duration
}
