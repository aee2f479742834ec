import { readSetting, writeSetting } from '@/sandbox/store/settings'
import type { Store } from '@/sandbox/store/store'

/** How the endpoint did of late: since when every attempt failed, and when it was disabled for that; null while all is well. */
export type EndpointState = { failing_since: number | null; disabled_at: number | null }

const setting = 'webhook_endpoint'

/** An endpoint nothing bad is known of. */
export const wellState: EndpointState = { failing_since: null, disabled_at: null }

/** The state as it is kept, over restarts as well. */
export function endpointState(store: Store): EndpointState {
  const text = readSetting(store, setting)
  return text === undefined ? wellState : (JSON.parse(text) as EndpointState)
}

export const setEndpointState = (store: Store, state: EndpointState): void => writeSetting(store, setting, JSON.stringify(state))

/** Says where messages go from now on. Another address than last time is another endpoint: what is known of the old one does not count. */
export function nameEndpoint(store: Store, url: string): void {
  if (readSetting(store, `${setting}_url`) === url) return
  writeSetting(store, `${setting}_url`, url)
  setEndpointState(store, wellState)
}
