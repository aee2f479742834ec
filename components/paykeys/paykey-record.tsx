'use client'

import { Fact, Facts } from '@/components/kits/layout/facts'
import { RelativeTime } from '@/components/kits/layout/relative-time'
import { RecordFacts } from '@/components/kits/record/record-json'
import { RevealField } from '@/components/kits/record/reveal'
import { ShortId } from '@/components/ui/short-id'
import { paykeySourceText } from '@/lib/domain/paykey-why'
import type { Paykey } from '@/lib/operations/paykeys.schema'
import { paykeyNouns } from './paykey-nouns'

type PaykeyRecordProps = { paykey: Paykey; account: string | null; customerName: string | undefined }

/** The rest of what is known: the bank account, whose numbers are revealed for a reason, how it was connected, ids, metadata, and the JSON. */
export function PaykeyRecord({ paykey, account, customerName }: PaykeyRecordProps) {
  const { bank_data, config } = paykey
  return (
    <RecordFacts nouns={paykeyNouns} record={paykey}>
      <Facts>
        <Fact name="Bank">
          <bdi>{paykey.institution_name}</bdi>
        </Fact>
        <Fact name="Account number">
          <RevealField
            operation="paykeys.unmask"
            id={paykey.id}
            account={account}
            what="the account and routing number"
            names={[customerName]}
            masked={bank_data?.account_number ?? 'hidden'}
          >
            {({ bank_data: numbers }) => (
              <span className="font-mono">
                {numbers?.account_number ?? 'not sent'}, routing {numbers?.routing_number ?? 'not sent'}
              </span>
            )}
          </RevealField>
        </Fact>
        <Fact name="Kind">{bank_data?.account_type}</Fact>
        <Fact name="Connected by">{paykeySourceText(paykey.source)}</Fact>
        <Fact name="Verified">{config?.processing_method && processingWords(config.processing_method)}</Fact>
        {config?.sandbox_outcome && <Fact name="Sandbox outcome">{config.sandbox_outcome}</Fact>}
        <Fact name="Expires">{paykey.expires_at && <RelativeTime at={paykey.expires_at} />}</Fact>
        <Fact name="Created">{paykey.created_at && <RelativeTime at={paykey.created_at} />}</Fact>
        <Fact name="Changed">{paykey.updated_at && <RelativeTime at={paykey.updated_at} />}</Fact>
        <Fact name="External id">{paykey.external_id && <ShortId id={paykey.external_id} what="external id" />}</Fact>
        <Fact name="Id">
          <ShortId id={paykey.id} what="paykey id" />
        </Fact>
        {Object.entries(paykey.metadata).map(([name, value]) => (
          <Fact key={name} name={<span className="break-all font-mono text-xs">{name}</span>}>
            <bdi className="break-all">{value}</bdi>
          </Fact>
        ))}
      </Facts>
    </RecordFacts>
  )
}

const methods: Readonly<Record<string, string>> = {
  inline: 'when it was connected (inline)',
  background: 'a little after it was connected (background)',
  skip: 'not at all (skip)',
}

const processingWords = (method: string) => (Object.hasOwn(methods, method) ? methods[method] : method)
