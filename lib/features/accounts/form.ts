import {
  findMetadataFault,
  type MetadataLine,
  toMetadata,
  toMetadataLines,
} from '@/lib/domain/metadata-rules'
import { toE164, toRegionCode, toWebAddress } from '@/lib/domain/typed-values'
import type { Account } from '@/lib/operations/accounts.schema'

/** As typed. Field names are those of the API, so that its error messages appear at the field. */
export type AccountFormValues = {
  organization_id: string
  access_level: string
  business_profile: {
    name: string
    website: string
    legal_name: string
    description: string
    use_case: string
    tax_id: string
    phone: string
    address: {
      line1: string
      line2: string
      city: string
      state: string
      postal_code: string
      country: string
    }
    industry: { mcc: string; sector: string; category: string }
    support_channels: { email: string; phone: string; url: string }
  }
  external_id: string
  metadata: MetadataLine[]
  no_tax_id: boolean
}

type BusinessProfile = Partial<NonNullable<Account['business_profile']>>
type TypedBusinessProfile = AccountFormValues['business_profile']

const toTypedAddress = ({ address }: BusinessProfile): TypedBusinessProfile['address'] => ({
  line1: address?.line1 ?? '',
  line2: address?.line2 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  postal_code: address?.postal_code ?? '',
  country: address?.country ?? '',
})

const toTypedIndustry = ({ industry }: BusinessProfile): TypedBusinessProfile['industry'] => ({
  mcc: industry?.mcc ?? '',
  sector: industry?.sector ?? '',
  category: industry?.category ?? '',
})

const toTypedSupportChannels = ({
  support_channels: support,
}: BusinessProfile): TypedBusinessProfile['support_channels'] => ({
  email: support?.email ?? '',
  phone: support?.phone ?? '',
  url: support?.url ?? '',
})

/** The tax ID stays empty, because the service returns only its last four digits. */
export function toAccountFormValues(account?: Account): AccountFormValues {
  const businessProfile: BusinessProfile = account?.business_profile ?? {}
  const {
    name = '',
    website = '',
    legal_name = '',
    description = '',
    use_case = '',
    phone = '',
  } = businessProfile
  return {
    organization_id: account?.organization_id ?? '',
    access_level: account?.access_level ?? 'standard',
    business_profile: {
      ...{ name, website, legal_name, description, use_case, phone, tax_id: '' },
      address: toTypedAddress(businessProfile),
      industry: toTypedIndustry(businessProfile),
      support_channels: toTypedSupportChannels(businessProfile),
    },
    external_id: account?.external_id ?? '',
    metadata: toMetadataLines(account?.metadata ?? {}),
    no_tax_id: account !== undefined && !businessProfile.tax_id,
  }
}

const trimOrUndefined = (text: string): string | undefined => text.trim() || undefined

/**
 * Returns undefined if the person typed nothing except ignored fields. Otherwise returns all
 * fields, and the schema reports those that are missing.
 */
function trimTypedFields(
  fields: Readonly<Record<string, string>>,
  ignoredFields: readonly string[] = [],
): Record<string, string | undefined> | undefined {
  const typedEntries = Object.entries(fields).map(
    ([name, text]) => [name, trimOrUndefined(text)] as const,
  )
  return typedEntries.some(([name, text]) => text !== undefined && !ignoredFields.includes(name))
    ? Object.fromEntries(typedEntries)
    : undefined
}

function toProfileInput(profile: TypedBusinessProfile): Record<string, unknown> {
  const {
    name,
    website,
    legal_name,
    description,
    use_case,
    phone,
    address,
    industry,
    support_channels,
  } = profile
  return {
    name: trimOrUndefined(name),
    website: toWebAddress(website) || undefined,
    legal_name: trimOrUndefined(legal_name),
    description: trimOrUndefined(description),
    use_case: trimOrUndefined(use_case),
    phone: toE164(phone) || undefined,
    // A country alone does not count as an address.
    address: trimTypedFields(
      { ...address, state: toRegionCode(address.state), country: toRegionCode(address.country) },
      ['country'],
    ),
    industry: trimTypedFields(industry),
    support_channels: trimTypedFields({
      ...support_channels,
      phone: toE164(support_channels.phone),
      url: toWebAddress(support_channels.url),
    }),
  }
}

/**
 * Returns the first fault as the error of all metadata. The form also shows each pair's own fault
 * beside the pair.
 */
export function listMetadataFaults({
  metadata,
}: Pick<AccountFormValues, 'metadata'>): Record<string, string> {
  const metadataFault = metadata
    .map((line) => findMetadataFault(line, metadata))
    .find((found) => found !== null)
  return metadataFault ? { metadata: metadataFault } : {}
}

const removeTaxIdSeparators = (taxId: string) => trimOrUndefined(taxId.replace(/[\s-]/g, ''))

export const toNewAccountInput = (values: AccountFormValues): Record<string, unknown> => ({
  organization_id: values.organization_id,
  account_type: 'business',
  access_level: values.access_level,
  business_profile: {
    ...toProfileInput(values.business_profile),
    tax_id: removeTaxIdSeparators(values.business_profile.tax_id),
  },
  metadata: toMetadata(values.metadata),
  external_id: trimOrUndefined(values.external_id),
})

/** `tax_id` is null if the person states that the business has none. */
export const toAccountUpdateInput = (
  id: string,
  values: AccountFormValues,
): Record<string, unknown> => ({
  id,
  business_profile: {
    ...toProfileInput(values.business_profile),
    tax_id:
      removeTaxIdSeparators(values.business_profile.tax_id) ??
      (values.no_tax_id ? null : undefined),
  },
  metadata: toMetadata(values.metadata),
  external_id: trimOrUndefined(values.external_id),
})

/** `maskedTaxId` is `••••1234`. Null if one of the two is missing or incomplete. */
export function formatTaxIdNote(
  maskedTaxId: string | undefined,
  typedTaxId: string,
): string | null {
  const typedDigits = removeTaxIdSeparators(typedTaxId)
  if (!maskedTaxId || typedDigits?.length !== 9) return null
  const lastDigits = maskedTaxId.slice(-4)
  return typedDigits.endsWith(lastDigits)
    ? `Ends in ${lastDigits}, same as on file.`
    : `The tax ID on file ends in ${lastDigits}. Saving replaces the number.`
}
