import { readSetting, type SqliteStore, writeSetting } from '@/sandbox/store/store'

export type EndpointState = { failing_since: number | null; disabled_at: number | null }

const endpointSettingName = 'webhook_endpoint'

export const healthyEndpointState: EndpointState = { failing_since: null, disabled_at: null }

export function readEndpointState(store: SqliteStore): EndpointState {
  const settingText = readSetting(store, endpointSettingName)
  return settingText === undefined
    ? healthyEndpointState
    : (JSON.parse(settingText) as EndpointState)
}

export const saveEndpointState = (store: SqliteStore, state: EndpointState): void =>
  writeSetting(store, endpointSettingName, JSON.stringify(state))

/** Stores the endpoint's URL. A new URL resets the failure state. */
export function saveEndpointUrl(store: SqliteStore, url: string): void {
  if (readSetting(store, `${endpointSettingName}_url`) === url) return
  writeSetting(store, `${endpointSettingName}_url`, url)
  saveEndpointState(store, healthyEndpointState)
}
