package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials/stscreds"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/sts"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"
	"gocloud.dev/blob"
	"gocloud.dev/blob/s3blob"
	"gocloud.dev/gcerrors"

	"missiond/internal/outbound"
)

const (
	// partBytes is the size of the parts that a file is sent in, the least that S3 takes. A Put
	// has one of them in memory.
	partBytes = 5 << 20
	// ownLimit is how long those calls of a Put may take that don't end with it.
	ownLimit = 10 * time.Second
)

// bucket is a bucket of a store that speaks S3.
type bucket struct {
	*blob.Bucket

	client *s3.Client
	name   string
	// options have the encryption that the address asks for.
	options s3blob.Options
}

func openS3(ctx context.Context, u *url.URL) (*blob.Bucket, place, error) {
	if u.Host == "" || u.User != nil || u.Path != "" && u.Path != "/" || u.Fragment != "" {
		return nil, nil, errors.New("the address of a bucket must be s3://bucket?region=…, without a path, user or password")
	}
	opener := &s3blob.URLOpener{}
	opened, err := opener.OpenBucketURL(ctx, u)
	if err != nil {
		return nil, nil, refused(u, err)
	}
	var client *s3.Client
	if !opened.As(&client) {
		return nil, nil, errors.New("bug: s3blob has no client")
	}
	// The same again, with the service's own HTTP client.
	o := client.Options()
	if o.Region == "" {
		return nil, nil, errors.New("the region is missing: add ?region=… or set AWS_REGION")
	}
	if o.Credentials, err = credentials(ctx, u.Query(), o); err != nil {
		return nil, nil, refused(u, err)
	}
	o.HTTPClient = httpClient()
	o.Logger = logging.Nop{} // what matters is an error
	client = s3.New(o)
	b, err := s3blob.OpenBucket(ctx, client, u.Host, &opener.Options)
	return b, bucket{b, client, u.Host, opener.Options}, err
}

// refused returns why an address is refused, without what may be a secret in it.
func refused(u *url.URL, err error) error {
	text := strings.ReplaceAll(err.Error(), u.String(), outbound.Shown(u.String()))
	for _, values := range u.Query() {
		for _, value := range values {
			if value != "" {
				text = strings.ReplaceAll(text, strconv.Quote(value), "its value")
			}
		}
	}
	return errors.New(text)
}

// credentials returns the credentials that a client's options have, from an SDK whose log is the service's: s3blob's
// writes to standard error.
func credentials(ctx context.Context, q url.Values, of s3.Options) (aws.CredentialsProvider, error) {
	if aws.IsCredentialsProvider(of.Credentials, aws.AnonymousCredentials{}) {
		return of.Credentials, nil
	}
	found, err := config.LoadDefaultConfig(ctx, config.WithLogger(logging.LoggerFunc(sdkLog)),
		config.WithRegion(of.Region), config.WithSharedConfigProfile(q.Get("profile")))
	if err != nil {
		return nil, err
	}
	if role := q.Get("role"); role != "" {
		return aws.NewCredentialsCache(stscreds.NewAssumeRoleProvider(sts.NewFromConfig(found), role)), nil
	}
	return found.Credentials, nil
}

// sdkLog writes a line of the SDK's log to the service's.
func sdkLog(of logging.Classification, format string, v ...any) {
	level := slog.LevelWarn
	if of == logging.Debug {
		level = slog.LevelDebug
	}
	slog.Default().Log(context.Background(), level, "aws", "message", fmt.Sprintf(format, v...))
}

// httpClient returns the client of all calls. A call is ended by its watch, or by its context: a
// file may take any time, as long as it goes on.
func httpClient() client {
	const connect, idle, header = 10 * time.Second, 16, 64 << 10
	return client{outbound.Rules{}.Trusted(outbound.Options{
		Call: abandoned, Connect: connect, Wait: stallLimit, Header: header, Body: MaxBytes, Idle: idle,
	})}
}

func (b bucket) pastEnd(err error) bool {
	var response smithy.APIError
	return errors.As(err, &response) && response.ErrorCode() == "InvalidRange"
}

func (b bucket) deleteAll(ctx context.Context, prefix string) error {
	for files := b.List(&blob.ListOptions{Prefix: prefix}); ; {
		err := b.deleteNext(ctx, files)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// deleteNext deletes the next file of a list. Errors: io.EOF if there is none.
func (b bucket) deleteNext(ctx context.Context, files *blob.ListIterator) error {
	ctx, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	file, err := files.Next(ctx)
	if err != nil {
		return err
	}
	if err := b.Delete(ctx, file.Key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	return nil
}

func (b bucket) check(ctx context.Context) error {
	ok, err := b.IsAccessible(ctx)
	if err == nil && !ok {
		err = fmt.Errorf("%w %s", errNoBucket, b.name)
	}
	return err
}

// sweep aborts uploads of several parts. Others leave nothing.
func (b bucket) sweep(ctx context.Context, before time.Time) (n int, err error) {
	pages := s3.NewListMultipartUploadsPaginator(b.client, &s3.ListMultipartUploadsInput{Bucket: &b.name})
	for pages.HasMorePages() {
		aborted, err := b.sweepPage(ctx, pages, before)
		n += aborted
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

func (b bucket) sweepPage(ctx context.Context, pages *s3.ListMultipartUploadsPaginator, before time.Time) (n int, err error) {
	list, cancel := context.WithTimeout(ctx, callLimit)
	defer cancel()
	page, err := pages.NextPage(list)
	if err != nil {
		return 0, err
	}
	for _, upload := range page.Uploads {
		if !aws.ToTime(upload.Initiated).Before(before) {
			continue
		}
		if err := b.abort(ctx, aws.ToString(upload.Key), upload.UploadId); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}
