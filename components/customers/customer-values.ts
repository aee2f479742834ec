import { type MetadataLine, metadataLines, metadataOf } from '@/lib/domain/metadata-rules'
import type { Customer } from '@/lib/operations/customers.schema'

/** Somebody who speaks for a business, as typed. */
export type PersonValues = { name: string; email: string; phone: string }

/** Where the customer's device stands: not present, at an address, or (while editing) as it was. */
export type DeviceChoice = 'absent' | 'present' | 'kept'

/** What the form of a customer holds, under the names the operation gives its fields, so that a message finds its field. */
export type CustomerValues = {
  type: string
  name: string
  email: string
  phone: string
  device: { choice: DeviceChoice; ip_address: string }
  address: { address1: string; address2: string; city: string; state: string; zip: string }
  compliance_profile: {
    ssn: string
    dob: string
    ein: string
    legal_business_name: string
    website: string
    representatives: PersonValues[]
  }
  external_id: string
  config: { sandbox_outcome: string; processing_method: string }
  metadata: MetadataLine[]
}

const blank: CustomerValues = {
  type: 'individual',
  name: '',
  email: '',
  phone: '',
  device: { choice: 'absent', ip_address: '' },
  address: { address1: '', address2: '', city: '', state: '', zip: '' },
  compliance_profile: { ssn: '', dob: '', ein: '', legal_business_name: '', website: '', representatives: [] },
  external_id: '',
  config: { sandbox_outcome: '', processing_method: '' },
  metadata: [],
}

/** An empty form. */
export const newValues = (): CustomerValues => structuredClone(blank)

/** The form of a customer that is there: what is masked begins empty, and what stays empty stays as it is. */
export function valuesOf(customer: Customer): CustomerValues {
  return {
    ...structuredClone(blank),
    type: customer.type ?? 'individual',
    name: customer.name,
    device: { choice: 'kept', ip_address: '' },
    external_id: customer.external_id ?? '',
    metadata: metadataLines(customer.metadata),
  }
}

/** The fields that were filled, trimmed; undefined where none was. */
function filled<T extends Record<string, string>>(fields: T): Partial<T> | undefined {
  const typed = Object.entries(fields).flatMap(([name, value]) => (value.trim() ? [[name, value.trim()] as const] : []))
  return typed.length > 0 ? (Object.fromEntries(typed) as Partial<T>) : undefined
}

function profileOf({ type, compliance_profile: profile }: CustomerValues) {
  const { ssn, dob, ein, legal_business_name, website, representatives } = profile
  if (type !== 'business') return filled({ ssn, dob })
  const people = representatives.map((person) => filled(person)).filter((person) => person !== undefined)
  const fields = filled({ ein, legal_business_name, website })
  return fields || people.length > 0 ? { ...fields, ...(people.length > 0 ? { representatives: people } : {}) } : undefined
}

function deviceOf({ choice, ip_address }: CustomerValues['device']) {
  if (choice === 'kept') return undefined
  return { ip_address: choice === 'absent' ? '0.0.0.0' : ip_address.trim() }
}

/** What a form sends besides what only one of the two operations takes; fields that are left empty are left out. */
export function sharedInput(values: CustomerValues) {
  return {
    name: values.name.trim(),
    device: deviceOf(values.device),
    address: filled(values.address),
    compliance_profile: profileOf(values),
    external_id: values.external_id.trim() || undefined,
    metadata: metadataOf(values.metadata),
  }
}

/** The input of a new customer. */
export const newInput = (values: CustomerValues, sandbox: boolean) => ({
  ...sharedInput(values),
  type: values.type,
  email: values.email.trim(),
  phone: values.phone.trim(),
  config: filled(sandbox ? values.config : { processing_method: values.config.processing_method }),
})

/** The input of a changed customer; the state stays as it is, and contact data left empty is kept by the server. */
export const changedInput = (values: CustomerValues, { id, status }: Customer) => ({
  id,
  status,
  ...sharedInput(values),
  email: values.email.trim() || undefined,
  phone: values.phone.trim() || undefined,
})
