import { RecordSkeleton } from '@/components/kits/record/record-skeleton'

const Loading = () => <RecordSkeleton noun="payout" />

export default Loading
