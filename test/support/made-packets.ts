import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Output,
  type AudioCodec,
  type OutputFormat,
} from 'mediabunny';

/** Returns a file of made packets, of which every 10th second is quiet. */
export async function makePackets(
  format: OutputFormat,
  codec: AudioCodec | undefined,
  seconds: number,
  hasVideo: boolean,
): Promise<Uint8Array> {
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const audio = codec && new EncodedAudioPacketSource(codec);
  const video = hasVideo ? new EncodedVideoPacketSource('vp9') : undefined;
  if (audio !== undefined) output.addAudioTrack(audio);
  if (video !== undefined) output.addVideoTrack(video);
  await output.start();
  for (let second = 0; second < seconds; second++) {
    const data = new Uint8Array(second % 10 === 9 ? 8 : 200).fill(second % 251);
    await audio?.add(new EncodedPacket(data, 'key', second, 1), {
      decoderConfig: {
        codec: codec === 'aac' ? 'mp4a.40.2' : 'opus',
        ...{ numberOfChannels: 1, sampleRate: 48_000 },
        description:
          codec === 'aac'
            ? Uint8Array.of(0x11, 0x88)
            : new Uint8Array(Buffer.from('OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0', 'latin1')),
      },
    });
    await video?.add(new EncodedPacket(new Uint8Array(900), 'key', second, 1), {
      decoderConfig: { codec: 'vp09.00.10.08', codedWidth: 64, codedHeight: 64 },
    });
  }
  await output.finalize();
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0));
}
