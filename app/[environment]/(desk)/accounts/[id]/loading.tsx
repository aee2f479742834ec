import { RecordSkeleton } from '@/components/kits/record/record-skeleton'

const Loading = () => <RecordSkeleton noun="account" />

export default Loading
