import type { Metadata } from 'next'
import { type RecordPageProps, recordPage } from '@/app/_pages/record-page'
import { representativeNouns } from '@/components/representatives/representative-nouns'
import { RepresentativePanel } from '@/components/representatives/representative-panel'

export const metadata: Metadata = { title: 'Representative' }

const page = (props: RecordPageProps) =>
  recordPage(props, { get: 'representatives.get', nouns: representativeNouns, Panel: RepresentativePanel })

export default page
