import { once } from 'node:events'
import { request } from 'node:http'
import autocannon from 'autocannon'
import { findMedian } from './figures.mjs'
import { readCpuMs } from './proc.mjs'

/**
 * Loads a page completely. Returns its HTML and two times in milliseconds since the request:
 * `first` to the first byte of the body, `whole` to the last. Throws if the status is not 200.
 */
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

/**
 * Loads a page `loads` times, one after the other. Returns the server's processor time per load
 * (`cpu`) and the median times, all in milliseconds, and the HTML of the first load.
 */
export async function loadSequentially(target, loads) {
  const cpuBefore = readCpuMs(target.pid)
  const allLoads = []
  for (let at = 0; at < loads; at += 1) allLoads.push(await loadPage(target))
  const findMedianOf = (name) => findMedian(allLoads.map((one) => one[name]))
  return {
    cpu: (readCpuMs(target.pid) - cpuBefore) / loads,
    first: findMedianOf('first'),
    whole: findMedianOf('whole'),
    html: allLoads[0].html,
  }
}

/** Returns the pages per second for `crowd` concurrent clients over `duration` seconds. */
export async function measureRate({ url, headers }, { crowd, duration }) {
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
