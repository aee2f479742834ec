import { type MetadataLine, toMetadata, toMetadataLines } from '@/lib/domain/metadata-rules'
import {
  toE164,
  toEin,
  toRegionCode,
  toSsn,
  toWebAddress,
  toZipCode,
} from '@/lib/domain/typed-values'
import type { Customer } from '@/lib/operations/customers.schema'

export type BusinessRepresentativeValues = { name: string; email: string; phone: string }

/**
 * States if the customer is present with a device. `absent`: no. `kept`: the stored device stays
 * unchanged (edit form only).
 */
type DeviceChoice = 'absent' | 'present' | 'kept'

/** Has the names of the operation's input fields, so that each error is shown at its field. */
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
    representatives: BusinessRepresentativeValues[]
  }
  external_id: string
  config: { sandbox_outcome: string; processing_method: string }
  metadata: MetadataLine[]
}

const emptyValues: CustomerValues = {
  type: 'individual',
  name: '',
  email: '',
  phone: '',
  device: { choice: 'absent', ip_address: '' },
  address: { address1: '', address2: '', city: '', state: '', zip: '' },
  compliance_profile: {
    ssn: '',
    dob: '',
    ein: '',
    legal_business_name: '',
    website: '',
    representatives: [],
  },
  external_id: '',
  config: { sandbox_outcome: '', processing_method: '' },
  metadata: [],
}

export const createInitialCustomerValues = (): CustomerValues => structuredClone(emptyValues)

/** Masked fields start empty, and a field that is left empty stays unchanged. */
export function toCustomerValues(customer: Customer): CustomerValues {
  return {
    ...structuredClone(emptyValues),
    type: customer.type ?? 'individual',
    name: customer.name,
    device: { choice: 'kept', ip_address: '' },
    external_id: customer.external_id ?? '',
    metadata: toMetadataLines(customer.metadata),
  }
}

/** Undefined if all fields are empty. */
function trimAndOmitEmptyFields<T extends Record<string, string>>(
  fields: T,
): Partial<T> | undefined {
  const filledEntries = Object.entries(fields).flatMap(([name, value]) =>
    value.trim() ? [[name, value.trim()] as const] : [],
  )
  return filledEntries.length > 0 ? (Object.fromEntries(filledEntries) as Partial<T>) : undefined
}

function toProfileInput({ type, compliance_profile: profile }: CustomerValues) {
  const { ssn, dob, ein, legal_business_name, website, representatives } = profile
  if (type !== 'business') return trimAndOmitEmptyFields({ ssn: toSsn(ssn), dob })
  const representativeInputs = representatives
    .map((person) => trimAndOmitEmptyFields({ ...person, phone: toE164(person.phone) }))
    .filter((person) => person !== undefined)
  const businessFields = trimAndOmitEmptyFields({
    ein: toEin(ein),
    legal_business_name,
    website: toWebAddress(website),
  })
  return businessFields || representativeInputs.length > 0
    ? {
        ...businessFields,
        ...(representativeInputs.length > 0 ? { representatives: representativeInputs } : {}),
      }
    : undefined
}

function toDeviceInput({ choice, ip_address }: CustomerValues['device']) {
  if (choice === 'kept') return undefined
  return { ip_address: choice === 'absent' ? '0.0.0.0' : ip_address.trim() }
}

/** Returns the input that create and update have in common. Empty fields are omitted. */
function toCreateAndUpdateInput(values: CustomerValues) {
  return {
    name: values.name.trim(),
    device: toDeviceInput(values.device),
    address: trimAndOmitEmptyFields({
      ...values.address,
      state: toRegionCode(values.address.state),
      zip: toZipCode(values.address.zip),
    }),
    compliance_profile: toProfileInput(values),
    external_id: values.external_id.trim() || undefined,
    metadata: toMetadata(values.metadata),
  }
}

export const toCreateInput = (values: CustomerValues, isSandbox: boolean) => ({
  ...toCreateAndUpdateInput(values),
  type: values.type,
  email: values.email.trim(),
  phone: toE164(values.phone),
  config: trimAndOmitEmptyFields(
    isSandbox ? values.config : { processing_method: values.config.processing_method },
  ),
})

/** Paydesk's server adds omitted email, phone and device, which the service requires. */
export const toUpdateInput = (values: CustomerValues, { id, status }: Customer) => ({
  id,
  status,
  ...toCreateAndUpdateInput(values),
  email: values.email.trim() || undefined,
  phone: toE164(values.phone) || undefined,
})

/** The identity fields that are not stored in drafts. */
export const secretFieldNames = [
  'compliance_profile.ssn',
  'compliance_profile.dob',
  'compliance_profile.ein',
]
