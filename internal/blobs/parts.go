package blobs

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
)

// write sends a file as one request, or in parts, one after the other. s3blob's own writer would
// have several parts in memory, and leave those it has sent when the context ends.
func (b bucket) write(ctx context.Context, key, contentType string, r io.Reader) error {
	part := make([]byte, partBytes)
	n, err := fill(part, r)
	if !errors.Is(err, io.EOF) {
		if err == nil {
			err = b.writeParts(ctx, key, contentType, part, r)
		}
		return err
	}
	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.name, Key: &key, ContentType: &contentType, Body: bytes.NewReader(part[:n]),
		ServerSideEncryption: b.options.EncryptionType, SSEKMSKeyId: b.encryptionKey(),
	})
	return err
}

// writeParts sends a file in parts, of which the first is in part, and deletes them after an
// error.
func (b bucket) writeParts(ctx context.Context, key, contentType string, part []byte, r io.Reader) error {
	// What is made when the context ends could never be deleted.
	own, cancel := context.WithTimeout(context.WithoutCancel(ctx), ownLimit)
	defer cancel()
	upload, err := b.client.CreateMultipartUpload(own, &s3.CreateMultipartUploadInput{
		Bucket: &b.name, Key: &key, ContentType: &contentType,
		ServerSideEncryption: b.options.EncryptionType, SSEKMSKeyId: b.encryptionKey(), ChecksumAlgorithm: b.checksum(),
	})
	if err != nil {
		return err
	}
	parts, err := b.sendParts(ctx, upload, part, r)
	if err == nil {
		_, err = b.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
			Bucket: &b.name, Key: &key, UploadId: upload.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
		})
	}
	if err != nil {
		_ = b.abort(context.WithoutCancel(ctx), key, upload.UploadId) // else Sweep does
	}
	return err
}

func (b bucket) sendParts(ctx context.Context, upload *s3.CreateMultipartUploadOutput, part []byte, r io.Reader) ([]types.CompletedPart, error) {
	var sent []types.CompletedPart
	var ended error
	for n := len(part); n > 0; {
		number := int32(len(sent) + 1)
		response, err := b.client.UploadPart(ctx, &s3.UploadPartInput{
			Bucket: &b.name, Key: upload.Key, UploadId: upload.UploadId, PartNumber: &number, Body: bytes.NewReader(part[:n]),
			ChecksumAlgorithm: b.checksum(),
		})
		if err != nil {
			return nil, err
		}
		sent = append(sent, types.CompletedPart{PartNumber: &number, ETag: response.ETag, ChecksumCRC32: response.ChecksumCRC32})
		if ended != nil {
			return sent, nil //nolint:nilerr // it is io.EOF: all is sent
		}
		if n, ended = fill(part, r); ended != nil && !errors.Is(ended, io.EOF) {
			return nil, ended
		}
	}
	return sent, nil
}

func (b bucket) abort(ctx context.Context, key string, id *string) error {
	ctx, cancel := context.WithTimeout(ctx, ownLimit)
	defer cancel()
	_, err := b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.name, Key: &key, UploadId: id})
	return err
}

// encryptionKey returns the key that the address names, or nil.
func (b bucket) encryptionKey() *string {
	if b.options.KMSEncryptionID == "" {
		return nil
	}
	return &b.options.KMSEncryptionID
}

// checksum returns what the parts' checksums are, or "" if the address asks for none
// (request_checksum_calculation).
func (b bucket) checksum() types.ChecksumAlgorithm {
	if b.options.RequestChecksumCalculation == aws.RequestChecksumCalculationWhenRequired {
		return ""
	}
	return types.ChecksumAlgorithmCrc32
}

// fill reads until p is full. Errors: r's, io.EOF too.
func fill(p []byte, r io.Reader) (n int, err error) {
	for n < len(p) && err == nil {
		var read int
		read, err = r.Read(p[n:])
		n += read
	}
	return n, err
}
