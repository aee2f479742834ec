import { readSetting, type Store, writeSetting } from '@/sandbox/store/store'

export type EndpointState = { failing_since: number | null; disabled_at: number | null }

const setting = 'webhook_endpoint'

export const healthyState: EndpointState = { failing_since: null, disabled_at: null }

export function endpointState(store: Store): EndpointState {
  const text = readSetting(store, setting)
  return text === undefined ? healthyState : (JSON.parse(text) as EndpointState)
}

export const setEndpointState = (store: Store, state: EndpointState): void => writeSetting(store, setting, JSON.stringify(state))

/** Stores the endpoint's URL. A new URL resets the failure state. */
export function saveEndpointUrl(store: Store, url: string): void {
  if (readSetting(store, `${setting}_url`) === url) return
  writeSetting(store, `${setting}_url`, url)
  setEndpointState(store, healthyState)
}
