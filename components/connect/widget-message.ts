/** What the hosted page says, as far as it is listened to. The rest of a message, the full token among it, is dropped right here. */
export type WidgetMessage =
  | { name: 'alive' | 'close' | 'done' | 'retry' | 'manual' }
  | { name: 'linked'; id: string }
  | { name: 'error'; status: number | null; text: string | null }

const prefix = '@provider/js-bridge/'

const plain: Readonly<Record<string, WidgetMessage>> = {
  initializing: { name: 'alive' },
  initialized: { name: 'alive' },
  mounted: { name: 'alive' },
  'on-close': { name: 'close' },
  'on-success-cta-clicked': { name: 'done' },
  'on-retry': { name: 'retry' },
  'on-manual-entry': { name: 'manual' },
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const own = (value: unknown, name: string): unknown => (isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined)

/** A new paykey by its id; its state is not taken from here, it is read from the service. */
function linked(payload: unknown): WidgetMessage | null {
  const id = own(own(payload, 'data'), 'id')
  return typeof id === 'string' && uuid.test(id) ? { name: 'linked', id: id.toLowerCase() } : null
}

function failed(payload: unknown): WidgetMessage {
  const status = own(payload, 'status')
  const text = own(payload, 'message')
  return {
    name: 'error',
    status: typeof status === 'number' && Number.isInteger(status) ? status : null,
    text: typeof text === 'string' && text.trim() !== '' ? text.trim().slice(0, 300) : null,
  }
}

/**
 * Reads a window message of the hosted page (provider facts 1.2, "Widget"): `{type, payload}`, the type under the provider's prefix. Null for
 * everything else; whoever calls has compared origin and window first, because the shape of a message proves nothing about its sender.
 */
export function readWidgetMessage(data: unknown): WidgetMessage | null {
  const type = own(data, 'type')
  if (typeof type !== 'string' || !type.startsWith(prefix)) return null
  const name = type.slice(prefix.length)
  const payload = own(data, 'payload')
  if (name === 'on-paykey' || name === 'on-success') return linked(payload)
  if (name === 'error') return failed(payload)
  return Object.hasOwn(plain, name) ? (plain[name] ?? null) : null
}
