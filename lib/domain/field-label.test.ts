import { expect, test } from 'vitest'
import { formatFieldLabel } from './field-label'

test.each([
  ['status', 'Status'],
  ['api_request_id', 'API request ID'],
  ['body_sha256', 'Body SHA-256'],
  ['customer_details.id', 'Customer details · ID'],
  ['status_history.3.changed_at', 'Status history · 3 · changed at'],
  ['device.ip_address', 'Device · IP address'],
  ['constructor', 'Constructor'],
])('%s has the label %s', (name, label) => {
  expect(formatFieldLabel(name)).toBe(label)
})
