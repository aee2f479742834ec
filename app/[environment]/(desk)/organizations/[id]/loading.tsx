import { RecordSkeleton } from '@/components/kits/record/record-skeleton'

const Loading = () => <RecordSkeleton noun="organization" />

export default Loading
