require "json"
# import json
require_relative "catalogue"
# import catalogue
autoload :Extra, "shop/extra"
# import shop/extra

$counter = 0
# <- definition variable $counter

module Shop
#      ^^^^ definition namespace Shop
  class Shelf < Item
#       ^^^^^ definition class Shop.Shelf
#               ^^^^ reference base -> Shop.Item
    LIMIT = 3
#   ^^^^^ definition constant Shop.Shelf.LIMIT
    @@made = 0
#   ^^^^^^ definition field Shop.Shelf.@@made

    before_save :check, if: :ready?
#                ^^^^^ reference read -> Shop.Shelf.check
#                            ^^^^^^ reference read -> Shop.Shelf.ready?

    class << self
      def make(size)
#         ^^^^ definition method Shop.Shelf.make static
        shelf = Shelf.new(size)
#               ^^^^^ reference read -> Shop.Shelf
        shelf.fill lookup("x")
#             ^^^^ reference call -> Shop.Shelf.fill
#                  ^^^^^^ reference call -> lookup
        shelf
      end

      private

      def hidden
#         ^^^^^^ definition method Shop.Shelf.hidden static private
      end
    end

    def self.build(*) = make(LIMIT)
#            ^^^^^ definition method Shop.Shelf.build static
#                       ^^^^ reference call -> Shop.Shelf.make

    # Puts items on the shelf.
    def fill(items, &block)
#       ^^^^ definition method Shop.Shelf.fill
      items.each { |item| item.fill }
#                              ^^^^ reference call -> ?
      @spare ||= Item.new(1)
#     ^^^^^^ definition field Shop.Shelf.@spare
      @spare.restock!
#            ^^^^^^^^ reference call -> Shop.Item.restock!
      self.price
#          ^^^^^ reference call -> Shop.Priced.price
      spare.free?.to_s
#     ^^^^^ reference call -> Shop.Shelf.spare
#           ^^^^^ reference call -> Shop.Priced.free?
    rescue Empty => error
#          ^^^^^ reference type -> Shop.Empty
      error.restock!
#           ^^^^^^^^ reference call -> ?
      raise Shop::Empty.new(ENV["SHOP"])
#           ^^^^ reference read
#                 ^^^^^ reference throw -> Shop.Empty
    end

    def restock!
#       ^^^^^^^^ definition method Shop.Shelf.restock!
      super
#     ^^^^^ reference call -> Shop.Item.restock!
    end

    def spare
#       ^^^^^ definition method Shop.Shelf.spare
      @spare ||= Item.new(2)
    end

    def size=(value)
#       ^^^^^ definition method Shop.Shelf.size=
      @size = value
#     ^^^^^ definition field Shop.Shelf.@size
    end

    alias stock fill
#         ^^^^^ definition method Shop.Shelf.stock
#               ^^^^ reference read -> Shop.Shelf.fill
    alias_method :again, :spare
#                 ^^^^^ definition method Shop.Shelf.again
#                         ^^^^^ reference read -> Shop.Shelf.spare

    define_method(:count) { @@made }
#                  ^^^^^ definition method Shop.Shelf.count
#                           ^^^^^^ reference read -> Shop.Shelf.@@made

    private def check
#               ^^^^^ definition method Shop.Shelf.check private
      system("ls -l", *ENV.fetch("FLAGS"))
    end

    private

    def ready?
#       ^^^^^^ definition method Shop.Shelf.ready? private
      method(:check).call
#             ^^^^^ reference read -> Shop.Shelf.check
    end
  end
end

class Shop::Counter
#           ^^^^^^^ definition class Shop.Counter
  extend ActiveSupport::Concern
#                       ^^^^^^^ reference implements

  included do
    attr_accessor :total
#                  ^^^^^ definition field Shop.Counter.total
  end

  class_methods do
    def tally(shelf)
#       ^^^^^ definition method Shop.Counter.tally
      first, second = shelf.price, total
      first.fill(second)
#           ^^^^ reference call -> ?
      Shop::Shelf.build
#           ^^^^^ reference read -> Shop.Shelf
#                 ^^^^^ reference call -> Shop.Shelf.build
    end
  end
end
